"""Debian's glewlwyd as an OpenID provider: a separate server with one client and people, set up through its API."""

import http.cookiejar
import json
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import urllib.request

import http_conftest

SHARE = pathlib.Path("/usr/share/glewlwyd")
SCHEMA = pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
PASSWORD = "staples and horses"
DAY = 86_400


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Glewlwyd:
    """`origin` is the server that people sign in to; as a client of the provider, it is `planwright` with `secret`."""

    def __init__(self, origin, secret, people):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="planwright."))
        self.url = f"http://127.0.0.1:{free_port()}"
        self.issuer = f"{self.url}/api/oidc"
        with sqlite3.connect(self.folder / "db") as database:
            database.executescript(SCHEMA.read_text())
        shutil.copytree(SHARE / "webapp", self.folder / "web", ignore=shutil.ignore_patterns("config.json"))
        shutil.copy(SHARE / "templates" / "config.json", self.folder / "web")
        (self.folder / "conf").write_text(self.conf())
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(["glewlwyd", "-c", self.folder / "conf"], stdout=self.log, stderr=self.log)
        self.admin = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        try:
            self.set_up(origin, secret, people)
        except BaseException:
            self.close()
            raise

    def conf(self):
        types = {".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json"}
        rows = ", ".join(f'{{ extension = "{end}" mime_type = "{kind}" }}' for end, kind in types.items())
        parts = "\n".join(f'{name}_module_path="/usr/lib/glewlwyd/{folder}"' for name, folder in (
            ("user", "user"), ("client", "client"), ("user_auth_scheme", "scheme"), ("plugin", "plugin")))
        return f"""
            port={self.url.rsplit(":", 1)[1]}
            bind_address="127.0.0.1"
            external_url="{self.url}"
            login_url="login.html"
            api_prefix="api"
            log_mode="console"
            log_level="INFO"
            cookie_secure=0
            session_expiration={DAY}
            session_key="GLEWLWYD_SESSION"
            admin_scope="g_admin"
            profile_scope="g_profile"
            {parts}
            static_files_path="{self.folder}/web/"
            static_files_mime_types=({rows})
            database={{ type="sqlite3"; path="{self.folder}/db"; }};
        """

    def call(self, path, body, method="POST"):
        request = urllib.request.Request(f"{self.url}/api{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"}, method=method)
        with self.admin.open(request, timeout=20) as answer:
            assert answer.status == 200, path

    def set_up(self, origin, secret, people):
        assert http_conftest.wait_for(lambda: socket.socket().connect_ex(("127.0.0.1", int(self.url.rsplit(":", 1)[1]))) == 0)
        self.call("/auth", {"username": "admin", "password": "password"})
        self.call("/mod/user/database", {
            "module": "database", "name": "database", "display_name": "database", "order_rank": 0,
            "parameters": {"use-glewlwyd-connection": True,
                           "data-format": {"confirmed": {"multiple": False, "read": True, "write": True}}}}, "PUT")
        self.call("/mod/user/database/reset", {}, "PUT")
        self.call("/mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "oidc", "order_rank": 0,
                                   "parameters": self.plugin()})
        for name in ("email", "profile"):
            self.call("/scope/", {"name": name, "display_name": name, "description": name, "password_required": False,
                                  "scheme": {}})
        self.call("/client/", {
            "client_id": "planwright", "name": "planwright", "confidential": True, "enabled": True, "password": secret,
            "redirect_uri": [f"{origin}/session/oidc/company/callback"], "authorization_type": ["code"], "scope": [],
            "token_endpoint_auth_method": ["client_secret_basic"],
            "post_logout_redirect_uri": f"{origin}/signin"})
        for name in people:
            self.call("/user/", self.person(name))

    @staticmethod
    def person(name, confirmed="yes"):
        return {"username": name.lower(), "name": f"{name} Company", "email": f"{name.lower()}@company.test",
                "enabled": True, "password": PASSWORD, "confirmed": confirmed,
                "scope": ["openid", "email", "profile", "g_profile"]}

    def plugin(self):
        def openssl(*args, text=None):
            return subprocess.run(["openssl", *args], input=text, capture_output=True, text=True, check=True).stdout
        key = openssl("genrsa", "2048")
        kinds = {f"auth-type-{kind}-enabled": kind in ("code", "refresh") for kind in (
            "code", "token", "id-token", "none", "password", "client", "device", "refresh")}
        return {"iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": key,
                "cert": openssl("rsa", "-pubout", text=key), "jwks-show": True, **kinds,
                "access-token-duration": 3600, "refresh-token-duration": DAY, "refresh-token-rolling": False,
                "code-duration": 60, "allow-non-oidc": False, "subject-type": "public", "pkce-allowed": True,
                "pkce-method-plain-allowed": False, "pkce-required": True, "scope-claim": "no",
                "name-claim": "on-demand", "name-claim-scope": ["profile"],
                "email-claim": "on-demand", "email-claim-scope": ["email"],
                "claims": [{"name": "email_verified", "user-property": "confirmed", "type": "boolean", "scope": ["email"],
                            "boolean-value-true": "yes", "boolean-value-false": "no"}],
                "session-management-allowed": True, "session-cookie-name": "GLEWLWYD_OIDC",
                "session-cookie-expiration": DAY}

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)
