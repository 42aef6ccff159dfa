"""Receives webhooks.

    WEBHOOK_SECRET=whsec_... PORT=4000 python3 receive.py

Put it behind a server that terminates TLS. Python 3.8 or later, no packages.
"""
import json
import os
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

from webhook_signature import is_signed

BODY_MAX = 1_000_000
# In production: a table with a unique column, so that ids survive a restart.
seen = set()


def handle(event):
    print(event["type"], event["count"], flush=True)
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
        secret = os.environ["WEBHOOK_SECRET"]
        if not is_signed(secret, webhook_id, timestamp, signatures, body, time.time()):
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
    HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
