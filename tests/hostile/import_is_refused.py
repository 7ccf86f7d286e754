"""An import that cannot do without what is stopped: one fault, told once."""
import socket

connection = socket.create_connection(("127.0.0.1", 9), timeout=1)
# ~ NST207


# nst: example(np.ones(3))
def never_reached(x):
    return x + 1
