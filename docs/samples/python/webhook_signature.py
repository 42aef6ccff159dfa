"""Verifies webhooks of vatfx (Standard Webhooks 1.0)."""
import base64
import hashlib
import hmac

TOLERANCE_SECONDS = 300


def is_signed(secret, webhook_id, timestamp, signatures, body, now):
    """Whether the header webhook-signature has a signature of this secret for these bytes, at most five minutes old.

    `body` is the body as received, before it is parsed. `now` is in seconds since 1970.
    """
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret[len("whsec_"):], validate=True)
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a rotation there are several signatures. compare_digest takes the same time wherever they differ.
    return any(hmac.compare_digest(one.encode(), expected) for one in signatures.split(" "))
