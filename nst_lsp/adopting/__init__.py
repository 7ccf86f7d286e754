"""`nst init`: settings and examples for a project that has none.

candidates   what could be an example of which function, and where it is from
trying       each is traced in a worker, many at a time
choosing     a few of those that trace, for each function
writing      the texts with the examples in them, and as a diff
pyproject    the settings
"""
