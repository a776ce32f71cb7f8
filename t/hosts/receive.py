#!/usr/bin/env python3
"""Receives webhooks on 10.0.0.1:8000 and mail on 10.0.0.1:2525, and writes a line for each to FILE.

    receive.py FILE     lines "hook PROJECT VERSION" and "mail MESSAGE-ID SUBJECT"
"""

import email
import email.policy
import http.server
import json
import socketserver
import sys
import threading

log = open(sys.argv[1], "a", encoding="utf-8", buffering=1)


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        activity = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        log.write(f"hook {activity['project']['id']} {activity['project_version']}\n")
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Mail(socketserver.StreamRequestHandler):
    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        self.say("220 hosts")
        while line := self.rfile.readline():
            word = line.split(None, 1)[0].upper() if line.strip() else b""
            if word == b"DATA":
                self.say("354 go on")
                self.take()
            self.say("221 bye" if word == b"QUIT" else "250 ok")
            if word == b"QUIT":
                break

    def take(self):
        text = b""
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            text += line
        mail = email.message_from_bytes(text, policy=email.policy.default)
        log.write(f"mail {mail['Message-ID']} {mail['Subject']}\n")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


hooks = http.server.ThreadingHTTPServer(("10.0.0.1", 8000), Hook)
threading.Thread(target=hooks.serve_forever, daemon=True).start()
Server(("10.0.0.1", 2525), Mail).serve_forever()
