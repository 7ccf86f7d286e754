"""Runs user code in its own process; `wire` is the language it speaks with the server."""
