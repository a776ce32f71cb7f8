"""Ports of this host for servers that are started later."""

import contextlib
import socket


def reserve(stack):
    """Returns a port that nobody else is given until the ExitStack closes, not even for an outgoing connection.

    A server may listen there, and again after it was stopped: Linux lets two sockets have one address if both set
    SO_REUSEADDR, as servers do, and one of them does not listen."""
    holder = stack.enter_context(contextlib.closing(socket.socket()))
    holder.bind(("127.0.0.1", 0))
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return holder.getsockname()[1]
