"""The suite `core`: requests to one phone over its 13 domains."""
