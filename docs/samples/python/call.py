"""Converts an amount in euro and checks a VAT number.

    export URL=http://127.0.0.1:8080 KEY=vfx_...
    python3 call.py 19.90 USD GR 100

Python 3.8 or later, no packages.
"""
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from decimal import ROUND_HALF_UP, Decimal


def get(path):
    """Returns the status, the headers and the body. Numbers with a decimal point become Decimal, not float."""
    request = urllib.request.Request(
        os.environ["URL"] + path,
        headers={"Authorization": "Bearer " + os.environ["KEY"]},
    )
    try:
        # A VAT check may take 10 seconds.
        response = urllib.request.urlopen(request, timeout=12)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        body = json.loads(response.read(), parse_float=Decimal)
        return response.status, response.headers, body


def convert(amount, currency):
    status, _, fx = get("/fx")
    if status != 200:
        sys.exit(f"/fx: {status} {fx['error']}")
    # A whole number arrives as int. Round once, at the end.
    exact = Decimal(amount) * Decimal(fx["rates"][currency])
    rounded = exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    print(f"{amount} EUR = {rounded} {currency} on {fx['date']}")


def check_vat(country, number):
    path = f"/vatcheck/{urllib.parse.quote(country, safe='')}/{urllib.parse.quote(number, safe='')}"
    status, headers, body = get(path)
    if status == 200:
        # Store requestDate: it is the evidence of when you checked.
        print("registered" if body["valid"] else "not registered", "on", body["requestDate"])
    elif status == 422:
        print("not a possible VAT number")
    elif status in (502, 503):
        # An outage is not an answer: decide by your own rules, and check again later.
        print("unknown:", body["error"] + ", check again after", headers.get("Retry-After", "3600"), "s")
    else:
        sys.exit(f"{path}: {status} {body['error']}")


if __name__ == "__main__":
    if not {"URL", "KEY"} <= set(os.environ) or len(sys.argv) != 5:
        sys.exit("Set URL and KEY, and give an amount, a currency, a country and a VAT number:" + __doc__[__doc__.index("\n"):])
    convert(sys.argv[1], sys.argv[2])
    check_vat(sys.argv[3], sys.argv[4])
