"""A mailbox for the mails of a server under test: a small SMTP server."""

import email
import email.policy
import socketserver
import threading

import pytest


class Mailbox:
    """An SMTP server on loopback; `refuse`, if set, is its answer to RCPT."""

    def __init__(self):
        box = self
        self.got = []
        self.refuse = None

        class Handler(socketserver.StreamRequestHandler):
            def say(self, line):
                self.wfile.write(line.encode() + b"\r\n")

            def take_data(self):
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line[1:] if line.startswith(b".") else line)
                return b"".join(lines)

            def handle(self):
                envelope = {}
                self.say("220 box.example ESMTP")
                while line := self.rfile.readline().decode().strip():
                    verb = line.split()[0].upper()
                    if verb == "MAIL":
                        envelope = {"from": line.split("<")[1].split(">")[0], "to": []}
                        self.say("250 ok")
                    elif verb == "RCPT" and box.refuse:
                        self.say(box.refuse)
                    elif verb == "RCPT":
                        envelope["to"].append(line.split("<")[1].split(">")[0])
                        self.say("250 ok")
                    elif verb == "DATA":
                        self.say("354 go on")
                        envelope["raw"] = self.take_data()
                        envelope["mail"] = email.message_from_bytes(
                            envelope["raw"], policy=email.policy.default)
                        box.got.append(envelope)
                        self.say("250 taken")
                    elif verb == "QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 ok")

        socketserver.ThreadingTCPServer.allow_reuse_address = True
        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"smtp://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def mailbox():
    made = Mailbox()
    yield made
    made.server.shutdown()
    made.server.server_close()


def settings(box):
    """The settings of a server that sends its mails there."""
    return f"smtp_url = {box.url}\nmail_from = plan@planwright.example\n"
