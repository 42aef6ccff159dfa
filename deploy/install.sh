#!/bin/sh
# Installs vatfx as a service of systemd on one Linux machine: the executable, a user, a folder for its data, settings, a key
# that encrypts stored secrets, and the units of the service and of its nightly backup. It is meant to be read before it is
# run:
#
#     sudo sh install.sh                         from the files of a release in the folder of this script
#     sudo sh install.sh https://host/folder/    from the files at this address, which curl fetches
#     sudo sh install.sh --no-start              without starting the service
#
# Nothing is changed before the files are the ones that SHA256SUMS lists. Run again with the files of another version, it
# replaces program and units, keeps settings, key and data, and starts the service again. DESTDIR=/folder puts program
# and units below that folder and does nothing else (for packagers).
set -eu
umask 022

destination="${DESTDIR:-}"
program="$destination/usr/local/bin/vatfx"
settings=/etc/vatfx
state=/var/lib/vatfx
units="$destination/etc/systemd/system"
unit_files='vatfx.service vatfx-backup.service vatfx-backup.timer'

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

# The work folder and a program that was not put in place are removed, however this script ends.
work=
clean_up() {
  [ -z "$work" ] || rm -rf "$work"
  rm -f "$program.new"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

main() {
  is_starting=yes
  from="$(dirname "$0")"
  while [ $# -gt 0 ]; do
    case "$1" in
      --no-start) is_starting= ;;
      -*) fail "unknown option $1; expected --no-start, a folder or an https address" ;;
      *) from="$1" ;;
    esac
    shift
  done
  [ -n "$destination" ] || [ "$(id -u)" = 0 ] || fail 'only root can install a service; run it with sudo'
  find_executable
  need sha256sum coreutils
  need xz xz-utils
  work="$(mktemp -d)"
  collect
  compare
  put_program
  put_units
  [ -z "$destination" ] || return 0
  make_user
  put_settings
  start
}

# The name of the executable for this machine among the files of a release.
find_executable() {
  [ "$(uname -s)" = Linux ] || fail "there is an executable for Linux only, and this is $(uname -s)"
  case "$(uname -m)" in
    x86_64) executable=vatfx-linux-x64 ;;
    aarch64) executable=vatfx-linux-arm64 ;;
    *) fail "there is no executable for $(uname -m); docs/install-npm.md has the way with Node" ;;
  esac
}

need() { # need PROGRAM PACKAGE
  command -v "$1" >/dev/null 2>&1 || fail "the program $1 is missing; the package $2 has it"
}

# Puts the files that are needed into the work folder.
collect() {
  for file in SHA256SUMS "$executable.xz" $unit_files; do
    case "$from" in
      https://*)
        need curl curl
        curl --fail --silent --show-error --location --proto '=https' --output "$work/$file" "${from%/}/$file" ||
          fail "${from%/}/$file cannot be fetched"
        ;;
      *://*) fail "files are fetched with https only, and the address is $from" ;;
      *)
        [ -f "$from/$file" ] || fail "$from has no file $file; download all files of the release into one folder"
        cp "$from/$file" "$work/$file"
        ;;
    esac
  done
}

compare() {
  for file in "$executable.xz" $unit_files; do
    grep -q "^[0-9a-f]\{64\}  $file\$" "$work/SHA256SUMS" ||
      fail "SHA256SUMS does not list $file: these are not the files of one release"
  done
  (cd "$work" && sha256sum --check --quiet --ignore-missing SHA256SUMS) >&2 ||
    fail 'a file is damaged or is not of this release; download it again. Nothing was installed'
}

# Beside the old program first, so that it can be tried where programs may run, and then replaces the old one at once.
put_program() {
  mkdir -p "${program%/*}"
  xz --decompress --stdout "$work/$executable.xz" >"$program.new"
  chmod 755 "$program.new"
  if ! version="$("$program.new" --version 2>"$work/error")"; then
    cat "$work/error" >&2
    if grep -q libatomic "$work/error"; then
      fail 'the program needs libatomic: on Debian and Ubuntu the package libatomic1, on Fedora and its relatives libatomic'
    fi
    fail 'the program does not start on this machine; it needs glibc 2.28 or later, libstdc++ and libatomic1'
  fi
  mv -f "$program.new" "$program"
  echo "$program: vatfx $version"
}

make_user() {
  id -u vatfx >/dev/null 2>&1 && return
  useradd --system --user-group --home-dir /var/lib/vatfx --shell /usr/sbin/nologin vatfx
  echo 'user vatfx: made'
}

# Everything that is there already is kept, above all the key: stored secrets can be read with no other one.
put_settings() {
  mkdir -p "$state" "$settings"
  if [ ! -e "$settings/secret-key" ]; then
    key="$(od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n')"
    [ "${#key}" = 64 ] || fail 'no random bytes can be read from /dev/urandom'
    (umask 077 && echo "$key" >"$settings/secret-key")
    echo "$settings/secret-key: made; keep a copy of it apart from the backups"
  fi
  [ -e "$settings/vatfx.env" ] || (umask 077 && echo "SECRET_KEY_FILE=$settings/secret-key" >"$settings/vatfx.env")
  # Commands that run in the folder of the data have the settings of the service.
  [ -e "$state/.env" ] || [ -L "$state/.env" ] || ln -s "$settings/vatfx.env" "$state/.env"
  chmod 700 "$state"
  chmod 750 "$settings"
  chmod 640 "$settings/secret-key" "$settings/vatfx.env"
  chown vatfx:vatfx "$state"
  chgrp vatfx "$settings" "$settings/secret-key" "$settings/vatfx.env"
}

put_units() {
  mkdir -p "$units"
  for file in $unit_files; do
    cp "$work/$file" "$units/$file"
    chmod 644 "$units/$file"
  done
}

start() {
  if [ ! -d /run/systemd/system ]; then
    echo "systemd does not run here, so nothing was started. To run it: cd $state && vatfx serve"
    return
  fi
  systemctl daemon-reload
  systemctl enable --quiet vatfx vatfx-backup.timer
  if [ -z "$is_starting" ]; then
    echo 'vatfx was not started. To start it: systemctl start vatfx vatfx-backup.timer'
    return
  fi
  systemctl restart vatfx vatfx-backup.timer
  cat <<'END'
vatfx runs: journalctl -u vatfx shows its log. As the next step, examine it and create a key for a caller:

    sudo -u vatfx sh -c 'cd /var/lib/vatfx && vatfx doctor'
    sudo -u vatfx sh -c 'cd /var/lib/vatfx && vatfx keys create --name me'
END
}

main "$@"
