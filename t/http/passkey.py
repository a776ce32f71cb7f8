"""An authenticator like those that browsers use, with a passkey (Web Authentication)."""

import base64
import hashlib
import json
import os
import struct

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

PRESENT, VERIFIED, HAS_CREDENTIAL = 1, 4, 64
ES256, EDDSA, RS256 = -7, -8, -257


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Passkey:
    """A passkey for a site; attributes and arguments change what a hostile one says."""

    def __init__(self, url, alg=ES256):
        self.origin, self.host, self.alg, self.count = url, url.split("//")[1].split(":")[0], alg, 0
        self.id = os.urandom(32)
        self.key = {ES256: lambda: ec.generate_private_key(ec.SECP256R1()), EDDSA: ed25519.Ed25519PrivateKey.generate,
                    RS256: lambda: rsa.generate_private_key(65537, 2048)}[alg]()

    def public(self):
        return self.key.public_key().public_bytes(serialization.Encoding.DER,
                                                  serialization.PublicFormat.SubjectPublicKeyInfo)

    def sign(self, text):
        if self.alg == ES256:
            return self.key.sign(text, ec.ECDSA(hashes.SHA256()))
        if self.alg == EDDSA:
            return self.key.sign(text)
        return self.key.sign(text, padding.PKCS1v15(), hashes.SHA256())

    def client_data(self, what, options, **said):
        return json.dumps({"type": f"webauthn.{what}", "challenge": options["challenge"], "origin": self.origin,
                           "crossOrigin": False, **said}).encode()

    def data(self, flags):
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + struct.pack(">I", self.count)

    def made(self, options, name="Phone", flags=PRESENT | VERIFIED | HAS_CREDENTIAL, rest=None, **said):
        """The body for POST /my/passkeys."""
        if rest is None:
            rest = bytes(16) + struct.pack(">H", len(self.id)) + self.id + b"\xa0"
        return {"name": name, "client_data": encode(self.client_data("create", options, **said)),
                "authenticator_data": encode(self.data(flags) + rest), "public_key": encode(self.public()), "alg": self.alg}

    def shown(self, options, flags=PRESENT | VERIFIED, counts=True, **said):
        """The body for POST /session/passkey."""
        self.count += counts
        client, data = self.client_data("get", options, **said), self.data(flags)
        return {"credential": encode(self.id), "client_data": encode(client), "authenticator_data": encode(data),
                "signature": encode(self.sign(data + hashlib.sha256(client).digest()))}
