"""`import tracer` in user code finds the running tracer, so that there is one state, not two.

Unless the user has a module `tracer` of their own: then theirs is imported, and ours stays reachable
under its private name only.  A second installed copy of ours (it has `worker/wire.py`) is not theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

PUBLIC_NAME = "tracer"


def install(private_name: str) -> None:
    """Put the finder before all others."""
    sys.meta_path.insert(0, _Finder(private_name))


class _Finder(MetaPathFinder):
    def __init__(self, private_name: str) -> None:
        self.private_name = private_name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        head, _, rest = fullname.partition(".")
        if head != PUBLIC_NAME:
            return None
        if rest:
            ours = sys.modules.get(PUBLIC_NAME) is sys.modules[self.private_name]
        else:
            ours = not self._is_users_own(fullname, path)
        return self._spec(fullname, rest) if ours else None

    def _is_users_own(self, fullname: str, path: Sequence[str] | None) -> bool:
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(fullname, path) for finder in others if hasattr(finder, "find_spec"))
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is None:
            return False
        folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
        if spec.origin is None:  # a plain folder is theirs only where Python files lie in it
            return any(True for folder in folders for _ in folder.glob("*.py"))
        return not any((folder / "worker" / "wire.py").is_file() for folder in folders)

    def _spec(self, fullname: str, rest: str) -> ModuleSpec | None:
        name = f"{self.private_name}.{rest}" if rest else self.private_name
        try:
            module = import_module(name)
        except ModuleNotFoundError as error:
            if error.name == name:
                return None
            raise
        return ModuleSpec(fullname, _Alias(module), is_package=hasattr(module, "__path__"))


class _Alias(Loader):
    """Hands out a module that is already loaded, unchanged."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # importlib has just put the alias's spec there
