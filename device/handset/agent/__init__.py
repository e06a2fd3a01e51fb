"""What uiautomator2's server answers: HTTP and JSON-RPC over the screen."""
