"""Classes that the user registered as containers of tensors (`torch.utils._pytree.register_pytree_node`)."""

from __future__ import annotations

from typing import Any

from torch.utils import _pytree as pytree


def fields(value: Any) -> tuple[str, ...] | None:
    """The attributes that are the parts of an object of a registered class, in its order of them.

    None where its class is not registered, or a part is not an attribute: then no way to it can be written.
    """
    node = pytree.SUPPORTED_NODES.get(type(value))
    if node is None or not hasattr(value, "__dict__"):
        return None
    left = dict(vars(value))
    names = [_taken(left, part) for part in node.flatten_fn(value)[0]]
    return None if None in names else tuple(name for name in names if name is not None)


def _taken(attributes: dict[str, Any], part: Any) -> str | None:
    """The name of the first attribute that is a part, which is taken away."""
    name = next((name for name, value in attributes.items() if value is part), None)
    if name is not None:
        del attributes[name]
    return name
