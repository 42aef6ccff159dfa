"""Verifies webhooks of vatfx (Standard Webhooks 1.0)."""
import base64
import hashlib
import hmac

KEY_BYTES_MIN = 24
TOLERANCE_SECONDS = 300


def read_key(secret):
    """The key of a secret. ValueError unless it is whsec_ and at least 24 bytes: anybody can sign with an empty one."""
    key = base64.b64decode(secret[len("whsec_"):], validate=True) if secret.startswith("whsec_") else b""
    if len(key) < KEY_BYTES_MIN:
        raise ValueError("expected whsec_ and at least 24 bytes in base64")
    return key


def is_signed(secret, webhook_id, timestamp, signatures, body, now):
    """Whether the header webhook-signature has a signature of this secret for these bytes, at most five minutes old.

    `body` is the body as received, before it is parsed. `now` is in seconds since 1970. ValueError as by read_key.
    """
    key = read_key(secret)
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a rotation there are several signatures. compare_digest takes the same time wherever they differ.
    return any(hmac.compare_digest(one.encode(), expected) for one in signatures.split(" "))
