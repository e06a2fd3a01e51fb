"""Task specifications, verifiers, admission, suites, scoring and benches."""
