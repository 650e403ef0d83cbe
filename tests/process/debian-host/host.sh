#!/usr/bin/env bash
# Makes the copy of the host and enters it (run.sh): an overlay over this machine's files, processes and a network of its own.
set -euo pipefail
copy=$work/copy
mkdir "$work/layer" "$copy"
mount -t tmpfs layer "$work/layer"
mkdir "$work/layer/changed" "$work/layer/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/layer/changed,workdir=$work/layer/work" "$copy"
mount -t proc proc "$copy/proc"
mount --bind /dev "$copy/dev"
for folder in /run /tmp /dev/shm; do mount -t tmpfs -o mode=1777 own "$copy$folder"; done
ip link set lo up
echo '127.0.0.1 localhost work.example.com' >"$copy/etc/hosts"

if [ -n "$tarball" ]; then
  cp "$tarball" "$copy/tmp/release.tar.gz"
else
  # What deploy/build-plain.sh copies.
  app=$copy/opt/tallywork/$release
  for part in node_modules build contract server deploy; do
    mkdir -p "$app/$part"
    mount --bind "$root/$part" "$app/$part"
  done
  cp "$root/package.json" "$app/"
  install -D "$(realpath "$root/node_modules/.bin/node")" "$app/bin/node"
fi
# Nothing is downloaded: the packages must be there.
printf '#!/bin/sh\nshift 2\nexec dpkg -s "$@" >/dev/null\n' >"$copy/usr/local/bin/apt-get"
chmod 0755 "$copy/usr/local/bin/apt-get"
install -m 0755 "$here/systemctl.sh" "$copy/usr/local/bin/systemctl"
cp "$commands" "$here/inside.sh" "$copy/tmp/"
exec chroot "$copy" env -i VISITORS="${VISITORS:-1}" HOME=/root TERM=dumb \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash /tmp/inside.sh </dev/null
