"""What is measured, always side by side in one run: see `python -m benchmarks`."""
