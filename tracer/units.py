"""Amounts for people: bytes in KiB and MiB, scalar operations in kflop and Mflop, three digits of each.

Standard library only: the server says them, too.
"""

from __future__ import annotations

_BYTES = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_FLOP = ("flop", "kflop", "Mflop", "Gflop", "Tflop", "Pflop", "Eflop")


def in_bytes(number: int) -> str:
    """`96 B`, `1.5 KiB`."""
    return _scaled(number, 1024, _BYTES)


def in_flop(number: int) -> str:
    """`12 flop`, `1.2 Mflop`: scalar operations, as opposed to those of a graph, which are its nodes."""
    return _scaled(number, 1000, _FLOP)


def _scaled(number: int, step: int, units: tuple[str, ...]) -> str:
    """The number in the largest unit of which there is one, with as many decimals as three digits leave."""
    if number < step:
        return f"{number} {units[0]}"
    power = 1
    while power + 1 < len(units) and round(number / step**power) >= step:
        power += 1
    value = number / step**power
    decimals = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    text = f"{value:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if decimals else text} {units[power]}"
