"""A package of two modules: `regression` calls `scaling`, and a graph goes through both."""
