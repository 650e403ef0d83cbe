#!/usr/bin/env bash
# npm run debian-host [-- TARBALL]: runs the commands of docs/debian.md on a copy of this machine that is thrown away
# (docs/debian.md#test-coverage). VISITORS=0: without requests while the instances restart.
set -euo pipefail
# root's own tools, which the path of a service may lack
export PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tarball=${1:+$(realpath "$1")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The blocks of the document, with the name of each section.
commands=$work/commands.sh
awk '/^## /{name=substr($0,4)} /^```$/&&on{on=0} on{print} /^```sh$/{on=1; print "section \"" name "\""}' "$root/docs/debian.md" >"$commands"
# What a host without a network cannot do. Each text must be there.
change() {
  grep -qF -- "$1" "$commands" || { echo "docs/debian.md has no $1" >&2; exit 1; }
  FROM=$1 TO=$2 perl -pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/g' "$commands"
}
change '_…' '_0'
change 'systemctl restart caddy.service' $'sed -i \'1i { local_certs\\n}\' /etc/caddy/Caddyfile\nsystemctl restart caddy.service'
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")
release=tallywork-$version
extract="tar -xzf $release-linux-x64.tar.gz -C /opt/tallywork"
if [ -n "$tarball" ]; then
  change "$extract" 'tar -xzf /tmp/release.tar.gz -C /opt/tallywork'
else
  [ -e "$root/build/client" ] || { echo 'There is no web app: npm run build' >&2; exit 1; }
  change "$extract" ':'
fi

export here root commands work tarball release
unshare --mount --pid --ipc --net --uts --fork --kill-child bash "$here/host.sh"
