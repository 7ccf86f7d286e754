"""Functions that want to talk to others."""
import socket
import urllib.request


# nst: example(np.ones(3))
def connects(x):
    connection = socket.create_connection(("127.0.0.1", 9), timeout=1)
#                ~ NST207
    return x + len(connection.recv(1))


# nst: example(np.ones(3))
def asks_for_a_page(x):
    return x + len(urllib.request.urlopen("http://127.0.0.1:9/").read())
#                  ~ NST207


# nst: example(np.ones(3))
def asks_for_a_name(x):
    socket.getaddrinfo("nobody.invalid", 80)
#   ~ NST207
    return x


# nst: example(np.ones(3))
def serves(x):
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
#       ~ NST301
    return x


# nst: example(np.ones(3))
def tells(x):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.sendto(b"news", ("127.0.0.1", 9))
#       ~ NST301
    return x


# nst: example(np.ones(3))
def goes_on_without(x):
    try:
        socket.create_connection(("127.0.0.1", 9), timeout=1)
#       ~ NST207
    except OSError:
        pass
    return x + 1


# nst: example(np.ones(3))
def talks_to_itself(x):
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"a")
        return x + len(other.recv(1))


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
