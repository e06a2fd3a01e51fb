"""Phones behind one interface; siblings never import each other."""
