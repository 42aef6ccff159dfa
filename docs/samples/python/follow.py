"""Prints each event once, in order, and continues after the last one when it is started again.

    export URL=http://127.0.0.1:8080 KEY=vfx_... PLACE=place.txt
    python3 follow.py

Python 3.8 or later, no packages.
"""
import http.client
import json
import os
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

if not {"URL", "KEY", "PLACE"} <= set(os.environ):
    sys.exit("Set URL, KEY and PLACE:" + __doc__[__doc__.index("\n"):])

# In your program the cursor is in your database, stored in one transaction with the result of the event.
place = pathlib.Path(os.environ["PLACE"])


def store(cursor):
    # The file gets its name when it is whole: a program may be ended at any time.
    draft = place.with_name(place.name + ".draft")
    draft.write_text(cursor)
    draft.replace(place)


def read_page(cursor):
    query = urllib.parse.urlencode({"waitSeconds": 30, **({"after": cursor} if cursor else {})})
    headers = {"Authorization": "Bearer " + os.environ["KEY"]}
    request = urllib.request.Request(os.environ["URL"] + "/events?" + query, headers=headers)
    with urllib.request.urlopen(request, timeout=40) as answer:
        return json.load(answer, parse_float=Decimal)


def follow(handle):
    while True:
        try:
            page = read_page(place.read_text() if place.exists() else "")
        except urllib.error.HTTPError as error:
            if error.code == 410:
                # Events were missed: read the data that you keep again, then continue with the oldest stored event.
                store(re.search("after=([^>&]+)", error.headers["Link"])[1])
            elif error.code == 429 or error.code >= 500:
                seconds = error.headers.get("Retry-After", "")
                time.sleep(int(seconds) if seconds.isdigit() else 5)
            else:
                raise
        except (OSError, http.client.HTTPException):
            time.sleep(5)
        else:
            for event in page["events"]:
                handle(event)
                store(event["cursor"])
            store(page["nextCursor"])


if __name__ == "__main__":
    follow(lambda event: print(event["id"], event["type"], flush=True))
