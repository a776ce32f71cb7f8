"""An OpenID provider for tests, honest unless told otherwise, and a browser that is sent there and back. Every part
of its answers can be changed: the document, the keys, the answer to a code, and the header, claims and signature of
ID tokens."""

import base64
import hashlib
import http.server
import json
import threading
import time
import urllib.parse
import uuid

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from client import Answer, Client

SESSION, WAY = "planwright", "planwright-sign-in"


def text64(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def number64(value, size=None):
    return text64(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


class Key:
    """A key for RS256, ES256 or EdDSA."""

    def __init__(self, alg="RS256", kid=None, bits=2048):
        self.alg, self.kid = alg, kid or uuid.uuid4().hex[:8]
        if alg == "RS256":
            self.private = rsa.generate_private_key(public_exponent=65537, key_size=bits)
        elif alg == "ES256":
            self.private = ec.generate_private_key(ec.SECP256R1())
        else:
            self.private = ed25519.Ed25519PrivateKey.generate()

    def public(self, **more):
        public = self.private.public_key()
        common = {"kid": self.kid, "use": "sig", "alg": self.alg, **more}
        if self.alg == "RS256":
            numbers = public.public_numbers()
            return {"kty": "RSA", "n": number64(numbers.n), "e": number64(numbers.e), **common}
        if self.alg == "ES256":
            numbers = public.public_numbers()
            return {"kty": "EC", "crv": "P-256", "x": number64(numbers.x, 32), "y": number64(numbers.y, 32), **common}
        raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        return {"kty": "OKP", "crv": "Ed25519", "x": text64(raw), **common}

    def sign(self, text):
        if self.alg == "RS256":
            return self.private.sign(text, padding.PKCS1v15(), hashes.SHA256())
        if self.alg == "ES256":
            r, s = decode_dss_signature(self.private.sign(text, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return self.private.sign(text)


class Provider:
    """`issuer` is its address. Members that a test can set: `document` and `token_answer` (a dict merged over the
    honest answer, or a function of it), `claims`, `head`, `signature` (functions), `answers` ({path: function of the
    handler}, which replaces the usual answer), `delay` (seconds)."""

    client_id, client_secret = "planwright", f"secret-{uuid.uuid4().hex}"

    def __init__(self, alg="RS256"):
        self.keys, self.codes, self.asked, self.lock = [Key(alg)], {}, [], threading.Lock()
        self.behave()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def give(self, value, status=200, kind="application/json", **headers):
                body = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, line in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, line)
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                length = int(self.headers["Content-Length"] or 0)
                self.form = dict(urllib.parse.parse_qsl(self.rfile.read(length).decode()))
                path = urllib.parse.urlsplit(self.path).path
                outer.asked.append(path)
                time.sleep(outer.delay)
                try:
                    if path in outer.answers:
                        outer.answers[path](self)
                    else:
                        self.give(*outer.honest(path, self))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            do_POST = do_GET

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *args):
                pass  # the client may have gone away

        self.server = Server(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def behave(self):
        """Makes it honest again."""
        self.document, self.token_answer, self.answers, self.delay = {}, {}, {}, 0
        self.claims = self.head = self.signature = None

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def honest(self, path, handler):
        if path == "/.well-known/openid-configuration":
            return (self.whole_document(),)
        if path == "/keys":
            return ({"keys": [key.public() for key in self.keys]},)
        if path == "/token":
            return self.redeem(handler)
        return ({"error": "not_found"}, 404)

    def whole_document(self):
        honest = {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/auth",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/end", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "code_challenge_methods_supported": ["S256"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256", "EdDSA"]}
        return {k: v for k, v in {**honest, **self.document}.items() if v is not None}

    def redeem(self, handler):
        """As in RFC 6749 and 7636: the client proves who it is, and that it began the sign-in."""
        form = handler.form
        given = base64.b64decode((handler.headers["Authorization"] or "Basic ").removeprefix("Basic ")).decode()
        with self.lock:
            grant = self.codes.pop(form.get("code"), None)
        proven = text64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if given != f"{self.client_id}:{self.client_secret}":
            return {"error": "invalid_client"}, 401
        if not grant or grant["challenge"] != proven or grant["redirect_uri"] != form.get("redirect_uri") \
                or form.get("grant_type") != "authorization_code":
            return {"error": "invalid_grant"}, 400
        answer = {"access_token": uuid.uuid4().hex, "token_type": "Bearer", "expires_in": 300,
                  "id_token": self.id_token(grant["nonce"], grant["claims"])}
        if callable(self.token_answer):
            return (self.token_answer(answer),)
        return ({k: v for k, v in {**answer, **self.token_answer}.items() if v is not None},)

    def id_token(self, nonce, more):
        now, key = int(time.time()), self.keys[0]
        claims = {"iss": self.issuer, "aud": self.client_id, "iat": now, "exp": now + 300, "nonce": nonce, **more}
        claims = self.claims(claims) if self.claims else claims
        head = {"alg": key.alg, "kid": key.kid, "typ": "JWT"}
        head = self.head(head) if self.head else head
        text = f"{text64(json.dumps(head).encode())}.{text64(json.dumps(claims).encode())}".encode()
        signature = self.signature(text) if self.signature else key.sign(text)
        return f"{text.decode()}.{text64(signature)}"

    def approve(self, url, /, **claims):
        """The person agrees at `url`; returns the address that the browser is sent back to."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        assert url.startswith(f"{self.issuer}/auth?") and asked["response_type"] == "code"
        assert asked["client_id"] == self.client_id and asked["code_challenge_method"] == "S256"
        assert asked["scope"].split()[0] == "openid"
        code = uuid.uuid4().hex
        self.codes[code] = {"challenge": asked["code_challenge"], "nonce": asked["nonce"], "claims": claims,
                            "redirect_uri": asked["redirect_uri"]}
        return f"{asked['redirect_uri']}?{urllib.parse.urlencode({'code': code, 'state': asked['state']})}"

    def settings(self, name, **more):
        """Its lines in planwright.conf."""
        rows = {"issuer": self.issuer, "client_id": self.client_id, "client_secret": self.client_secret, **more}
        return "".join(f"oidc_{name}_{key} = {value}\n" for key, value in rows.items())


class Browser(Client):
    """Keeps cookies as browsers do, but follows no redirects."""

    def __init__(self, stack):
        super().__init__(stack, base="")
        self.cookies = {}

    def send(self, method, path, headers=None, **more):
        line = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())} if self.cookies else {}
        answer = super().send(method, path, headers={**line, **(headers or {})}, **more)
        for set_cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = set_cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
            self.stack.secrets.append(value)
            if "Max-Age=0" in set_cookie:
                del self.cookies[name]
        return answer

    def page(self, path, **headers):
        return self.request("GET", path, headers=headers)

    def api(self, method, path, json=None):
        return self.request(method, f"/services/v5{path}", json=json, headers={"X-Requested-With": "planwright"})

    def leave(self, name, to=None):
        """Begins a sign-in; returns the provider's address."""
        answer = self.page(f"/session/oidc/{name}" + (f"?{urllib.parse.urlencode({'to': to})}" if to else ""))
        assert answer.status_code == 303, f"{answer.status_code} {answer.text}"
        return answer.headers["Location"]

    def sign_in(self, which, provider, /, to=None, **claims) -> Answer:
        return self.page(provider.approve(self.leave(which, to), **claims))

    def me(self):
        answer = self.api("GET", "/me")
        return answer.json() if answer.status_code == 200 else None
