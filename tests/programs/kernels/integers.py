"""Integers that wrap: checksums, hashes, bits, generators of numbers."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def crc32(messages):
    """The checksum of Ethernet, bit by bit, of many messages at once; bytes along the first axis."""
    crc = np.full(messages.shape[1:], 0xFFFFFFFF, dtype=np.uint32)
    polynomial = np.uint32(0xEDB88320)
    for byte in messages:
#               ^^^^^^^^ NST106
        crc = crc ^ byte
        for _ in range(8):
            crc = (crc >> np.uint32(1)) ^ (polynomial * (crc & np.uint32(1)))
    return ~crc


def crc16_table(data, table):
    """CRC-16 by a table of 256 entries, one byte after the other (Sarwate, 1988)."""
    crc = np.uint16(0xFFFF)
    for i in range(data.shape[0]):
#            ^^^^^^^^^^^^^^^^^^^^ NST106
        index = (crc ^ data[i]) & np.uint16(0xFF)
        crc = (crc >> np.uint16(8)) ^ table[index]
    return crc


def fnv1a(words):
    """FNV-1a of rows of bytes, eight columns, in 64 bits (Fowler, Noll and Vo)."""
    value = np.full(words.shape[0], 0xCBF29CE484222325, dtype=np.uint64)
    for column in range(8):
        value = (value ^ words[:, column]) * np.uint64(0x100000001B3)
    return value


def xorshift(state):
    """Marsaglia's generator (2003), four numbers of each of many streams, states written in place."""
    drawn = []
    for _ in range(4):
        state ^= state << np.uint32(13)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        state ^= state >> np.uint32(17)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        state ^= state << np.uint32(5)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        drawn.append(state / np.float64(2**32))
    return np.stack(drawn)


def population_count(x):
    """Bits that are set, by sums within ever wider fields (Warren, Hacker's Delight, 5.1)."""
    one, two, four = np.uint32(1), np.uint32(2), np.uint32(4)
    x = x - ((x >> one) & np.uint32(0x55555555))
    x = (x & np.uint32(0x33333333)) + ((x >> two) & np.uint32(0x33333333))
    x = (x + (x >> four)) & np.uint32(0x0F0F0F0F)
    return (x * np.uint32(0x01010101)) >> np.uint32(24)


def adler32(data):
    """Adler-32 by running sums (RFC 1950)."""
    a = 1 + np.cumsum(data, dtype=np.uint64)
    b = a.sum() % np.uint64(65521)
    return ((b << np.uint64(16)) | (a[-1] % np.uint64(65521))).astype(np.uint32)


def gray_code(x):
    """To Gray code and back, sixteen bits (Gray, 1953)."""
    coded = x ^ (x >> 1)
    decoded = coded
    for shift in (8, 4, 2, 1):
        decoded = decoded ^ (decoded >> shift)
    return coded, decoded


def fixed_point_product(a, b):
    """Q15 numbers multiplied, rounded and saturated, as signal processors do."""
    wide = a.astype(np.int32) * b.astype(np.int32)
    rounded = (wide + (1 << 14)) >> 15
    return np.clip(rounded, -32768, 32767).astype(np.int16)


def go_fast(a):
    """The trace of a hyperbolic tangent added everywhere (Numba's first example)."""
    trace = 0.0
    for i in range(a.shape[0]):
#            ^^^^^^^^^^^^^^^^^ NST106
        trace += np.tanh(a[i, i])
    return a + trace


def sieve(flags):
    """Eratosthenes in place, for primes that are written in the program."""
    flags[:2] = False
#   ^^^^^^^^^^^^^^^^^ NST303
    for p in (2, 3, 5, 7):
        flags[p * p :: p] = False
#       ^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return np.cumsum(flags)


def quantise(x, levels):
    """To integers of eight bits with one scale for each row, and back."""
    scale = np.abs(x).max(axis=1, keepdims=True) / levels
#                                                  ^^^^^^ NST202
    packed = np.clip(np.rint(x / scale), -128, 127).astype(np.int8)
    return packed, packed * scale
