"""Skills: procedures in the Agent Skills format, and the tools that load them."""
