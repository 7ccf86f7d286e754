"""Completion inside example comments: jedi in a process of its own, and the server's end of it."""
