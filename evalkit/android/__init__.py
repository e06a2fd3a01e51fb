"""Tasks on a connected phone: set up, read back, witnessed, cleaned up."""
