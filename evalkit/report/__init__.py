"""One HTML page about stored runs."""
