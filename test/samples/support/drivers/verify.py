"""Answers each line of a case with true or false; false for a secret that cannot be used."""
import base64
import sys

from webhook_signature import is_signed

for line in sys.stdin:
    secret, webhook_id, timestamp, signatures, body, now = line.rstrip("\n").split("\t")
    try:
        answer = is_signed(secret, webhook_id, timestamp, signatures, base64.b64decode(body), int(now))
    except ValueError:
        answer = False
    print("true" if answer else "false")
