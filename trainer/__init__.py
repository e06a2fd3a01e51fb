"""The companion trainer: data, planning cold start, export and the gates between them."""
