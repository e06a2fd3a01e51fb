"""The commands of `pocket eval`, a module for each group."""
