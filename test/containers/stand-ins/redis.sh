#!/bin/sh
# The start of the official image: its own user, and no protected mode.
set -eu
if [ "$(id -u)" = 0 ] && [ "$1" = redis-server ]; then
  chown redis:redis .
  exec setpriv --reuid=redis --regid=redis --clear-groups "$0" "$@"
fi
if [ "$1" = redis-server ]; then set -- "$@" --protected-mode no; fi
exec "$@"
