"""Serve time: the harness loop and everything between a request in plain words and a verified phone state."""
