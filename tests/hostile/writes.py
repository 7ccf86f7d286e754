"""Functions that write, make, move and remove files; all of them are as before when the run is over.

The test puts a file `precious.txt` and a folder `kept` into the folder where this runs.
"""
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import numpy as np


# nst: example(np.ones(3))
def writes_and_reads_back(x):
    with open("precious.txt", "a") as file:
#        ~ NST301
        file.write("more")
#       ~ NST301
    with open("precious.txt") as file:
        assert file.read() == "precious\nmore"
#              ~ NST207
    return x + 1


# nst: example(np.ones(3))
def saves(x):
    np.save("saved.npy", np.arange(3.0))
#   ~ NST301
    np.savetxt("saved.txt", np.arange(3.0))
#   ~ NST301
    Path("noted.txt").write_text("a note")
#   ~ NST301
    return x + np.load("saved.npy")
#              ~ NST207


# nst: example(np.ones(3))
def makes_a_folder(x):
    os.makedirs("results/today", exist_ok=True)
#   ~ NST301
    with open("results/today/one.txt", "w"):
#        ~ NST301
        pass
    os.replace("results/today/one.txt", "results/two.txt")
#   ~ NST301
    return x + len(os.listdir("results"))


# nst: example(np.ones(3))
def uses_temporary_files(x):
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
        file.flush()
        shutil.copy(file.name, os.path.join(folder, "copy"))
        assert not tempfile.gettempdir().endswith("tmp/")
    return x + 1


# nst: example(np.ones(3))
def removes(x):
    y = x + 1
    os.remove("precious.txt")
#   ~ NST301
    return y


# nst: example(np.ones(3))
def removes_all(x):
    shutil.rmtree("kept")
#   ~ NST301
    return x


# nst: example(np.ones(3))
def renames(x):
    os.rename("precious.txt", "worthless.txt")
#   ~ NST301
    return x


# nst: example(np.ones(3))
def locks_up(x):
    os.chmod("kept", 0)
#   ~ NST301
    return x


# nst: example(np.ones(3))
def makes_a_database(x):
    sqlite3.connect("data.db")
#   ~ NST301
    return x


# nst: example(np.ones(3))
def goes_on_without(x):
    try:
        os.truncate("precious.txt", 0)
#       ~ NST301
    except PermissionError:
        pass
    return x + 1


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
