"""Receives webhooks.

    WEBHOOK_SECRET=whsec_... PORT=4000 python3 receive.py

Put it behind a server that terminates TLS. Python 3.8 or later, no packages.
"""
import json
import os
import sys
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

from webhook_signature import is_signed, read_key

SECRET = os.environ.get("WEBHOOK_SECRET", "")
BODY_MAX = 1_000_000
# In production: a table with a unique column, so that ids survive a restart.
seen = set()


def handle(event):
    print(event["type"], flush=True)
    # A type that you do not know, also of a later version, needs nothing: the answer is 204.
    if event["type"] == "rates.changed":
        for row in event["changes"]:
            print(row["country"], row["field"], row["old"], "->", row["new"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > BODY_MAX:
            return self.answer(413)
        body = self.rfile.read(int(length))
        webhook_id = self.headers.get("webhook-id", "")
        timestamp = self.headers.get("webhook-timestamp", "")
        signatures = self.headers.get("webhook-signature", "")
        if not is_signed(SECRET, webhook_id, timestamp, signatures, body, time.time()):
            return self.answer(401)
        # An attempt that is repeated and a replay have the id of the first attempt.
        if webhook_id not in seen:
            handle(json.loads(body, parse_float=Decimal))
            seen.add(webhook_id)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    try:
        read_key(SECRET)
    except ValueError:
        sys.exit("WEBHOOK_SECRET: expected whsec_ and at least 24 bytes in base64")
    HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
