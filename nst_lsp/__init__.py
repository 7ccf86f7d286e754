"""The language server and the command line of non-strict tracing.  Never imports user code or NumPy."""
