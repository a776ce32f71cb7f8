"""An authenticator: computes codes from a secret and the time (RFC 6238)."""

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
    """An authenticator that never gives a code of the same time step twice."""

    def __init__(self, secret):
        self.secret, self.last = secret, 0

    def code(self):
        """A code of an unused time step: first the previous step, then the current and the next one."""
        now = int(time.time()) // STEP
        while self.last > now:  # all steps that the server accepts are used up
            time.sleep(0.5)
            now = int(time.time()) // STEP
        self.last = max(self.last + 1, now - 1)
        if self.last == now - 1 and time.time() % STEP > STEP - 3:
            self.last = now
        return code_of(self.secret, self.last)
