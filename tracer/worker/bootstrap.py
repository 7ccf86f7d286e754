"""The script that the server starts, by path, in the user's own interpreter.

It loads our package from its folder under the private name `_nst_tracer`, so that nothing else of ours
becomes visible to user code, and no folder of ours can shadow a module of the user's.  It must parse
under old interpreters too: theirs may be one that we have to refuse.
"""

import sys

PRIVATE_NAME = "_nst_tracer"
OLDEST = (3, 10)


def forget_own_folder() -> None:
    """What `python -P` does (3.11 and later): the script's folder does not stay on the import path."""
    if not getattr(sys.flags, "safe_path", False) and not sys.flags.isolated:
        del sys.path[0]


def load_package() -> None:
    """Put our package into `sys.modules` under its private name."""
    import os
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = spec_from_file_location(
        PRIVATE_NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec is not None
    assert spec.loader is not None
    package = module_from_spec(spec)
    sys.modules[PRIVATE_NAME] = package
    spec.loader.exec_module(package)


def main() -> None:
    forget_own_folder()
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:3]))
        sys.exit(f"nst-lsp traces with Python {OLDEST[0]}.{OLDEST[1]} or newer; {sys.executable} is Python {found}")
    load_package()
    from importlib import import_module

    import_module(PRIVATE_NAME + ".worker.diverting").install()  # others keep the functions that they import
    import_module(PRIVATE_NAME + ".worker.alias").install(PRIVATE_NAME)
    import_module(PRIVATE_NAME + ".worker.serve").main(sys.argv[1:])


if __name__ == "__main__":
    main()
