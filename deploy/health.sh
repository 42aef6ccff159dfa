#!/bin/bash
# The health check of the image: `vatfx-health /live` or `vatfx-health /ready` ends with 0 if the operations port of this
# container answers 200. It starts no Node: a check takes 29 ms of CPU time instead of 162.
set -euo pipefail

# A setting as the server has it: from the environment, otherwise from .env in the working directory.
setting() {
  local value="${!1:-}" line bom=$'\xEF\xBB\xBF'
  local form="^($bom)?[[:space:]]*(export[[:space:]]+)?$1[[:space:]]*=[[:space:]]*[\"'\`]?([^\"'\`#[:space:]]*)"
  if [ -z "$value" ] && [ -r .env ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      [[ "$line" =~ $form ]] && value="${BASH_REMATCH[3]}"
    done <.env
  fi
  printf %s "${value:-$2}"
}

host="$(setting OPS_HOST 127.0.0.1)"
# A port that listens on every address is asked at a loopback address. `::` receives IPv4 as well.
[[ "$host" != 0.0.0.0 && "$host" != :: ]] || host=127.0.0.1
exec 3<>"/dev/tcp/$host/$(setting OPS_PORT 9080)"
# Every address is accepted as Host.
printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$1" >&3
read -r _ status _ <&3
[ "$status" = 200 ]
