"""Answers each line of a case with true or false."""
import base64
import sys

from webhook_signature import is_signed

for line in sys.stdin:
    secret, webhook_id, timestamp, signatures, body, now = line.rstrip("\n").split("\t")
    answer = is_signed(secret, webhook_id, timestamp, signatures, base64.b64decode(body), int(now))
    print("true" if answer else "false")
