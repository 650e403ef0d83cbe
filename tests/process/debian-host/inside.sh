#!/usr/bin/env bash
# Runs the commands of docs/debian.md inside of the copy of the host (host.sh), with visitors while instances restart.
set -euo pipefail
# Each script that this one runs names the command that fails.
export BASH_ENV=/tmp/name-failures.sh
cat >"$BASH_ENV" <<'SH'
set -E
trap 'echo "$0, line $LINENO: exit code $? of $BASH_COMMAND" >&2' ERR
SH
. "$BASH_ENV"
trap '[ $? = 0 ] || tail -n 20 /var/log/*.service.log >&2' EXIT
export CURL_CA_BUNDLE=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
# A new cluster, as the package creates it.
version=$(ls /usr/lib/postgresql | tail -n 1)
rm -rf /etc/postgresql/* /var/lib/postgresql/* /var/log/*.service.log
pg_createcluster --start "$version" main

visit() {
  until [ -e /tmp/over ]; do
    curl --silent --output /dev/null --write-out '%{http_code}\n' https://work.example.com/login >>/tmp/visits || true
  done
}
section() {
  echo "== $1 ($SECONDS s)"
  if [ "$1" = Upgrade ] && [ "$VISITORS" = 1 ]; then visit & fi
}
export -f section visit
bash -euo pipefail /tmp/commands.sh
touch /tmp/over

echo "== Results ($SECONDS s)"
cat /var/log/tallywork@300?.service.log >/tmp/log
grep -q 'Create the first admin, once, at https://work.example.com/setup#code=' /tmp/log
other=$(grep -cv '^{.*}$' /tmp/log || true)
echo "$(wc -l </tmp/log) lines in the log of the instances, $other without JSON."
[ "$other" = 0 ]
memory=$(for unit in /run/units/tallywork@*.pid; do awk '/^VmRSS/{printf "%d MB ", $2 / 1024}' "/proc/$(cat "$unit")/status"; done)
echo "Memory of the instances: $memory"
for path in /etc/tallywork.env /var/lib/tallywork /var/lib/tallywork-backups; do
  runuser -u nobody -- test ! -r "$path"
done
[ "$(ls /var/lib/tallywork-backups | grep -cv unproven)" = 1 ]
if [ "$VISITORS" = 1 ]; then
  failed=$(grep -vc '^200$' /tmp/visits || true)
  echo "$(wc -l </tmp/visits) requests through Caddy while each instance restarted, $failed failed."
  [ "$failed" = 0 ]
fi
