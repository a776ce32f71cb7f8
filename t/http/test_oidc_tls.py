"""Providers over TLS with an invalid certificate, and one of a private authority that the workers are configured to
trust."""

import datetime
import ipaddress
import os
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from conftest import Person, Stack, stack_folder
from provider import SESSION, Browser, Provider
from test_oidc import came_back, refused
from world import ok

DAY = datetime.timedelta(days=1)
WHEN = {"valid": (-DAY, DAY), "expired": (-2 * DAY, -DAY), "early": (DAY, 2 * DAY)}


class Authority:
    """Issues certificates; `certificate` is its own."""

    def __init__(self, name):
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self.sign(self.name, self.key, "valid", x509.BasicConstraints(ca=True, path_length=None))

    def sign(self, name, key, when, extension):
        now = datetime.datetime.utcnow()
        begin, end = WHEN[when]
        return (x509.CertificateBuilder().subject_name(name).issuer_name(self.name).public_key(key.public_key())
                .serial_number(x509.random_serial_number()).not_valid_before(now + begin).not_valid_after(now + end)
                .add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
                .sign(self.key, hashes.SHA256())).public_bytes(Encoding.PEM)

    def issue(self, path, host, when="valid"):
        """Writes a file with a key and its certificate."""
        key = ec.generate_private_key(ec.SECP256R1())
        try:
            name = x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            name = x509.DNSName(host)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        path.write_bytes(self.sign(subject, key, when, x509.SubjectAlternativeName([name])) + key.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return path


class Secure(Provider):
    """A provider over https; show(path) changes its certificate."""

    def __init__(self, path):
        super().__init__()
        self.show(path)
        self.server.get_request = self.take
        self.issuer = self.issuer.replace("http:", "https:")

    def show(self, path):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(path)

    def take(self):
        """The handshake happens in the connection's own thread, at its first byte."""
        taken, address = self.server.socket.accept()
        return self.context.wrap_socket(taken, server_side=True, do_handshake_on_connect=False), address


class Place:
    """A server whose workers trust `ours` besides the system's authorities, and a provider with a valid certificate."""

    def __init__(self, folder):
        self.folder, self.ours = folder, Authority("Ours")
        self.good = self.ours.issue(folder / "good.pem", "127.0.0.1")
        self.provider = Secure(self.good)
        self.server = Stack(stack_folder("oidc-tls"), workers=2)
        self.server.secrets.append(Provider.client_secret)
        self.ada = Person(self.server, "Ada")
        self.authorities = self.server.directory / "authorities.pem"
        self.authorities.write_bytes(self.ours.certificate)
        with open(self.server.env["STACK_CONF"], "a") as conf:
            conf.write("oidc_providers = plain\n" + self.provider.settings("plain", trust_email="on"))
        self.start(self.authorities)

    def start(self, authorities):
        """Restarts the workers with this file, or with none."""
        os.environ["STACK_CERTIFICATES"] = str(authorities or "")
        self.server.part("stop", "workers")
        self.server.part("start", "workers")
        del os.environ["STACK_CERTIFICATES"]

    def bad(self, name):
        """A file with an invalid certificate of this kind."""
        path = self.folder / "bad.pem"
        if name == "of another name":
            return self.ours.issue(path, "other.example")
        if name == "of nobody known":
            return Authority("Others").issue(path, "127.0.0.1")
        return self.ours.issue(path, "127.0.0.1", "expired" if name == "expired" else "early")

    def forget(self):
        """Deletes what is stored about the provider, which is otherwise requested once a day."""
        self.provider.asked.clear()
        self.server.sql("delete from oidc_provider")

    def newest(self):
        (reason,), = self.server.sql("""select new ->> 'reason' from audit_entry where act = 'sign_in_refused'
            and means = 'provider:plain' order by id desc limit 1""")
        return reason

    def close(self):
        self.server.close()
        self.provider.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("certificates"))
    yield made
    made.close()


@pytest.fixture
def provider(place):
    place.forget()
    place.server.sql("delete from audit_entry where act = 'sign_in_refused'")
    yield place.provider
    place.provider.show(place.good)


WRONG = {"of another name": "name", "of nobody known": "local issuer certificate", "expired": "has expired",
         "not valid yet": "not yet valid"}


def is_distrusted(place, answer, what, why):
    refused(answer, "cannot be accepted")
    assert not any(line.startswith(f"{SESSION}=") for line in answer.headers.get_all("Set-Cookie") or [])
    reason = place.newest()
    assert reason.startswith("the provider answers with a certificate that cannot be trusted (") and why in reason
    assert reason.endswith(f") to the request for {what}")
    assert f"a sign-in was refused: from 127.0.0.1, by the provider plain: {reason}" in place.server.log("workers")


def claims(place):
    return {"sub": "ada", "email": place.ada.email, "email_verified": True}


def test_an_authority_that_the_workers_are_told_of(place, provider):
    browser = Browser(place.server)
    came_back(browser.sign_in("plain", provider, **claims(place)))
    assert browser.me()["id"] == place.ada.id


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_certificate_is_refused(place, provider, name):
    provider.show(place.bad(name))
    is_distrusted(place, Browser(place.server).page("/session/oidc/plain"), "its document", WRONG[name])
    assert provider.asked == [], "it hears nothing"


@pytest.mark.parametrize("name", WRONG)
def test_no_code_goes_to_a_wrong_certificate(place, provider, name):
    browser = Browser(place.server)
    back = provider.approve(browser.leave("plain"), **claims(place))
    provider.asked.clear()
    provider.show(place.bad(name))
    is_distrusted(place, browser.page(back), "an ID token", WRONG[name])
    assert provider.asked == [] and browser.me() is None


def test_an_authority_of_which_nobody_told_the_workers(place, provider):
    place.start(None)
    try:
        is_distrusted(place, Browser(place.server).page("/session/oidc/plain"), "its document", "local issuer certificate")
    finally:
        place.start(place.authorities)


def test_doctor_believes_what_the_workers_do(place, provider):
    doctor = lambda: next(line for line in place.server.ctl("doctor", check=False).stdout.splitlines() if " oidc plain: " in line)
    assert doctor().startswith("wrong oidc plain: the provider answers with a certificate that cannot be trusted")
    os.environ["SSL_CERT_FILE"], before = str(place.authorities), os.environ.get("SSL_CERT_FILE")
    try:
        assert "certificate" not in doctor() and "/session/oidc/plain/callback" in doctor()
    finally:
        os.environ.pop("SSL_CERT_FILE")
        os.environ.update({"SSL_CERT_FILE": before} if before else {})
