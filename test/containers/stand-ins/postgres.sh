#!/bin/sh
# The first start of the official image: makes the database of POSTGRES_USER and POSTGRES_DB, then starts the server.
set -eu
if [ "$(id -u)" = 0 ]; then
  install -d -m 700 -o postgres -g postgres "$PGDATA"
  chown -R postgres:postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --encoding=UTF8 --locale=C.UTF-8 \
    --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  # Only on a Unix socket until the database exists, so that the health check of compose.yaml waits.
  pg_ctl --wait --options='-c listen_addresses=' start
  createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
