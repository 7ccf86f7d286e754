"""Columns are characters, whatever stands before them on the line."""
import numpy as np

größe = 2.5
数 = np.array([1.0, 2.0])


# nst: example(np.array([1.0, 2.0]))
def ключ(x):
    return "🎉é" and x * größe
#                       ^^^^^ NST205


# nst: example(np.array([1.0, 2.0]))
def 和(x):
    y = {"🎉🎉": x}["🎉🎉"] + 数
#                         ^ NST204
    return y


# nst: example(np.array([1.0, 2.0]), "数")
def größer(x, ä):
    if "é" != "🎉" and ä == "数": return x
#                     ^^^^^^^^ NST103
    return x * 2
