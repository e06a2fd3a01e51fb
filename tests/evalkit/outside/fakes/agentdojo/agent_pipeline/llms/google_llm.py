"""In the outside package this module imports model clients; here nothing may run it."""

raise ImportError("model clients are not installed", name="a_model_client")
