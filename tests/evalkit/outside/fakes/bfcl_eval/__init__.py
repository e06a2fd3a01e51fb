"""A stand-in with the layout of the outside package."""
