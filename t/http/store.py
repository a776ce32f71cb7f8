"""An object store: OpenStack Swift with its S3 API, on loopback, one replica in a folder.

Four servers (proxy, account, container, object) of the Debian packages swift-*, each a process that runs this file.
Its file system must support extended attributes of users.

    store = Swift(folder)
    store.settings("files")     # lines for planwright.conf, with a new bucket of that name
    store.close()
"""

import contextlib
import hashlib
import hmac
import http.client
import os
import pathlib
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse

import ports

PARTS = ("account", "container", "object")
ACCESS, SECRET = "test:planwright", "a-secret-of-the-object-store"
REGION = "us-east-1"
USER = pwd.getpwuid(os.getuid()).pw_name
PIPELINE = "catch_errors gatekeeper cache listing_formats s3api tempauth copy slo proxy-server"

SERVER = """\
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
fallocate_reserve = 0
log_level = ERROR
disable_fallocate = true
[pipeline:main]
pipeline = {pipeline}
[app:{part}-server]
use = egg:swift#{part}
"""
PROXY = """\
account_autocreate = true
error_suppression_limit = 1000000
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:{cache}
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_planwright = a-secret-of-the-object-store .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
"""


def has_attributes(folder):
    """Whether files there can have user attributes: tmpfs has none before Linux 6.6."""
    probe = folder / "attributes"
    probe.touch()
    try:
        os.setxattr(probe, "user.swift", b"x" * 1000)
        return True
    except OSError:
        return False
    finally:
        probe.unlink()


class Swift:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "devices" / "d1").mkdir(parents=True)
        assert has_attributes(self.folder), f"no extended attributes on the file system of {folder}"
        (self.folder / "swift.conf").write_text("[swift-hash]\nswift_hash_path_suffix = tests\n")
        self.reserved = contextlib.ExitStack()
        self.ports = {part: ports.reserve(self.reserved) for part in (*PARTS, "proxy", "cache")}
        self.processes = {}
        subprocess.run(["/usr/bin/python3", __file__, self.folder, "rings", *(
            f"{part}={self.ports[part]}" for part in PARTS)], check=True, stderr=subprocess.DEVNULL)
        for part in (*PARTS, "cache", "proxy"):
            self.start(part)
        self.endpoint = f"http://127.0.0.1:{self.ports['proxy']}"
        self.wait()

    def start(self, part):
        command = ["/usr/bin/python3", __file__, self.folder, part]
        if part == "cache":
            command = ["memcached", "-l", "127.0.0.1", "-p", str(self.ports[part]), "-m", "16", "-u", USER]
        else:
            (self.folder / f"{part}.conf").write_text(SERVER.format(
                port=self.ports[part], folder=self.folder, part=part, user=USER,
                pipeline=PIPELINE if part == "proxy" else f"{part}-server")
                + (PROXY.format(cache=self.ports["cache"]) if part == "proxy" else ""))
        with (self.folder / f"{part}.log").open("ab") as log:
            self.processes[part] = subprocess.Popen(command, stdout=log, stderr=log,
                                                    stdin=subprocess.DEVNULL, start_new_session=True)

        late = time.monotonic() + 60  # for a busy machine: Python loads all of Swift first
        while time.monotonic() < late:
            if self.processes[part].poll() is not None:
                break
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.ports[part])) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(f"{part} does not start: {(self.folder / f'{part}.log').read_text()[-2000:]}")

    def stop(self, part):
        process = self.processes.pop(part)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait(self):
        late = time.monotonic() + 60
        while time.monotonic() < late:
            try:
                if self.ask("GET", "/").status == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        logs = "\n".join(p.read_text()[-2000:] for p in self.folder.glob("*.log"))
        raise AssertionError(f"Swift does not start: {logs}")

    def ask(self, method, path, query="", body=b"", secret=SECRET):
        """Sends one request with a signature of version 4, which is computed here and not by the program."""
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        digest = hashlib.sha256(body).hexdigest()
        host = urllib.parse.urlsplit(self.endpoint).netloc
        headers = {"host": host, "x-amz-content-sha256": digest, "x-amz-date": stamp}
        names = ";".join(sorted(headers))
        canonical = "\n".join([method, urllib.parse.quote(path), query,
                               *(f"{k}:{headers[k]}" for k in sorted(headers)), "", names, digest])
        scope = f"{stamp[:8]}/{REGION}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = b"AWS4" + secret.encode()
        for word in (stamp[:8], REGION, "s3", "aws4_request"):
            key = hmac.new(key, word.encode(), hashlib.sha256).digest()
        signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        headers["Authorization"] = (f"AWS4-HMAC-SHA256 Credential={ACCESS}/{scope}, "
                                    f"SignedHeaders={names}, Signature={signature}")
        connection = http.client.HTTPConnection(host, timeout=30)
        connection.request(method, urllib.parse.quote(path) + (f"?{query}" if query else ""), body, headers)
        answer = connection.getresponse()
        answer.content = answer.read()
        connection.close()
        return answer

    def bucket(self, name):
        assert self.ask("PUT", f"/{name}").status in (200, 409)  # 409: it exists already
        return name

    def names(self, bucket):
        """The keys of all objects in a bucket."""
        text = self.ask("GET", f"/{bucket}").content.decode()
        return [piece.split("</Key>")[0] for piece in text.split("<Key>")[1:]]

    def age(self, bucket, days):
        """Makes all objects of a bucket look older, in the database that their list comes from."""
        self.names(bucket)  # pending entries are written to the database
        for path in self.folder.glob("devices/d1/containers/*/*/*/*.db"):
            with contextlib.closing(sqlite3.connect(path)) as db:
                if db.execute("select container from container_info").fetchone()[0] != bucket:
                    continue
                # Rows are replaced, not updated; the checksum over them is not needed here.
                db.create_function("chexor", 3, lambda old, name, stamp: old)
                rows = db.execute("select name, created_at, size, content_type, etag, deleted,"
                                  " storage_policy_index from object where deleted = 0").fetchall()
                db.execute("delete from object")
                db.executemany("insert into object (name, created_at, size, content_type, etag, deleted,"
                               " storage_policy_index) values (?, ?, ?, ?, ?, ?, ?)",
                               [(n, f"{float(t.split('+')[0]) - days * 86400:016.5f}", *rest)
                                for n, t, *rest in rows])
                db.commit()

    def settings(self, bucket, prefix="pw", endpoint=None, **more):
        self.bucket(bucket)
        return "\n".join(f"{k} = {v}" for k, v in {
            "files": f"s3://{bucket}/{prefix}", "s3_endpoint": endpoint or self.endpoint,
            "s3_region": REGION, "s3_access_key": ACCESS, "s3_secret_key": SECRET, **more}.items())

    def close(self):
        for part in list(self.processes):
            self.stop(part)
        self.reserved.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def make_rings(folder, *words):
    """Where objects are stored: all on this host."""
    from swift.common.ring import RingBuilder
    for part, port in (word.split("=") for word in words):
        ring = RingBuilder(3, 1, 0)
        ring.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1, "device": "d1", "ip": "127.0.0.1",
                      "port": int(port), "replication_ip": "127.0.0.1", "replication_port": int(port)})
        ring.rebalance()
        ring.get_ring().save(f"{folder}/{part}.ring.gz")


def serve(folder, part, *words):
    import swift.common.utils
    swift.common.utils.SWIFT_CONF_FILE = f"{folder}/swift.conf"
    if part == "rings":
        return make_rings(folder, *words)
    from swift.common.wsgi import run_wsgi
    sys.exit(run_wsgi(f"{folder}/{part}.conf", f"{part}-server", verbose=True))


if __name__ == "__main__":
    serve(*sys.argv[1:])
