"""The shipped server block with its lines for TLS and HTTP/2 (nginx/planwright.conf)."""

import contextlib
import os
import re
import socket
import subprocess

import pytest

import ports
from conftest import run, wait_for

NAME = "planwright.example"
ENV = {"PATH": f"{os.environ['PATH']}:/usr/sbin"}


def server_blocks(text, secure, plain):
    """What people get who follow the comments in the file."""
    text = re.sub(r"^\tlisten .*\n", "", text, flags=re.M)
    text = re.sub(r"^\t#location /-/store/.*?^\t#\}\n", "", text, flags=re.M | re.S)  # needs a store
    text = re.sub(r"^\t#(?! )", "\t", text, flags=re.M)
    server, = re.findall(r"^\tserver \{$.*?^\t\}$", text, re.M | re.S)
    text = text.replace(server, "") + server
    text = re.sub(r"^.*listen \[::\].*\n", "", text, flags=re.M)
    told = re.findall(r"\d+", run("nginx", "-v", env={**os.environ, **ENV}).stderr)
    before, behind = ("", " http2 on;") if [int(n) for n in told[:3]] >= [1, 25, 1] else (" http2", "")
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{secure} ssl{before};{behind}")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{plain};")
    return text.replace("/etc/ssl/planwright/", "")


@pytest.fixture(scope="module")
def reserved():
    with contextlib.ExitStack() as ports_held:
        yield {scheme: ports.reserve(ports_held) for scheme in ("https", "http")}


@pytest.fixture(scope="module")
def fetch(stack, reserved):
    """fetch("https", path, options of curl…): status, HTTP version and body."""
    folder = stack.directory / "nginx"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}",
        "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "privkey.pem",
        "-out", folder / "fullchain.pem")
    (folder / "tls.conf").write_text(
        server_blocks((folder / "planwright.conf").read_text(), reserved["https"], reserved["http"]))
    (folder / "nginx-tls.conf").write_text(
        (folder / "nginx.conf").read_text().replace("include planwright.conf", "include tls.conf")
        .replace("pid/nginx.master", "pid/nginx-tls.master"))
    server = subprocess.Popen(
        ["nginx", "-e", "log/nginx-error.log", "-p", "./", "-c", "nginx/nginx-tls.conf"],
        cwd=stack.directory, env={**os.environ, **ENV})

    def fetch(scheme, path, *options):
        out = run("curl", "-sS", "-w", "\n%{http_code} %{http_version} %{redirect_url}", "--cacert",
                  folder / "fullchain.pem", "--connect-to", f"{NAME}::127.0.0.1:{reserved[scheme]}",
                  *options, f"{scheme}://{NAME}{path}").stdout
        body, _, told = out.rpartition("\n")
        return told, body
    assert wait_for(lambda: server.poll() is not None or listens(reserved["http"]))
    assert server.poll() is None
    yield fetch
    server.terminate()
    server.wait()


def listens(port):
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


def test_http_2(fetch, person):
    somebody = person("Tess")
    told, body = fetch("https", "/services/v5/me", "-H", f"X-TrackerToken: {somebody.token}")
    assert told == "200 2 " and f'"username":"{somebody.username}"' in body


@pytest.mark.parametrize("version", ["--http2", "--http1.1"])
def test_a_body_that_is_too_large_for_nginx(fetch, tmp_path, version):
    (tmp_path / "body").write_bytes(bytes(3 << 20))
    told, body = fetch("https", "/services/v5/projects", version, "--data-binary",
                       f"@{tmp_path}/body")
    assert told.split()[0] == "413" and '"code":"request_too_large"' in body


def test_plain_http_leads_to_https_and_logs_no_query(stack, fetch):
    told, _ = fetch("http", "/services/v5/me?token=no-token-at-all")
    assert told == f"301 1.1 https://{NAME}/services/v5/me?token=no-token-at-all"
    assert wait_for(lambda: '"GET /services/v5/me HTTP/1.1" 301 ' in stack.log("access"))
