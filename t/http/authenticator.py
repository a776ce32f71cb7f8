"""An authenticator: what makes codes of a secret and the time (RFC 6238)."""

import base64
import hashlib
import hmac
import struct
import time

STEP = 30


def code_of(secret, step):
    mac = hmac.digest(base64.b32decode(secret), struct.pack(">q", step), hashlib.sha1)
    at = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[at:at + 4])[0] & 0x7fffffff) % 10**6:06d}"


class Device:
    """An authenticator: each code it gives is of a later step than the one before."""

    def __init__(self, secret):
        self.secret, self.last = secret, 0

    def code(self):
        """Of a step that was not used: the one before this one at first, then this one and the next."""
        now = int(time.time()) // STEP
        while self.last > now:  # those that the server takes are used up
            time.sleep(0.5)
            now = int(time.time()) // STEP
        self.last = max(self.last + 1, now - 1)
        if self.last == now - 1 and time.time() % STEP > STEP - 3:
            self.last = now
        return code_of(self.secret, self.last)
