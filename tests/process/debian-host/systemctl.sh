#!/usr/bin/env bash
# In place of systemctl on a host without systemd: starts, stops and restarts what unit files say (run.sh).
set -euo pipefail
state=/run/units
mkdir -p "$state"

# The unit's file; a template is one for several units.
file_of() {
  local name
  for name in "$1" "${1%%@*}@.service"; do
    for folder in /etc/systemd/system /lib/systemd/system; do
      if [ -e "$folder/$name" ]; then echo "$folder/$name"; return; fi
    done
  done
  echo "Unit $1 could not be found." >&2
  exit 5
}

value() { sed -n "s/^$1=//p" "$file" | sed "s/%i/$instance/g"; }

stop() {
  [ -e "$state/$1.pid" ] || return 0
  local pid
  pid=$(cat "$state/$1.pid")
  # Without KillMode, each process of the unit receives the signal.
  grep -qx KillMode=mixed "$(file_of "$1")" || pid=-$pid
  kill -TERM -- "$pid" 2>/dev/null || true
  while kill -0 -- "$pid" 2>/dev/null; do sleep 0.1; done
  rm "$state/$1.pid"
}

start() {
  file=$(file_of "$1")
  instance=${1#*@}
  instance=${instance%.service}
  # A timer starts the service of its name by the clock.
  if [[ $1 = *.timer ]]; then file_of "${1%.timer}.service" >/dev/null; return; fi

  local user group capability command=()
  user=$(value User)
  group=$(value Group)
  for folder in $(value StateDirectory); do
    install -d -m "$(value StateDirectoryMode)" -o "$user" -g "$group" "/var/lib/$folder"
  done
  command=(setpriv --reuid "$user" --regid "$group" --init-groups)
  for capability in $(value AmbientCapabilities); do
    capability=${capability#CAP_}
    command+=(--inh-caps "+${capability,,}" --ambient-caps "+${capability,,}")
  done
  local settings folder
  settings=$(value EnvironmentFile)
  folder=$(value WorkingDirectory)
  cd "${folder:-/}"
  # shellcheck disable=SC2046 # The settings of a unit are words.
  command=(env -i "PATH=$PATH" "HOME=$(getent passwd "$user" | cut -d: -f6)" "USER=$user" $(value Environment)
    bash -c 'set -a; . "$0"; set +a; exec "$@"' "${settings:-/dev/null}" "${command[@]}" $(value ExecStart))
  if [ "$(value Type)" = oneshot ]; then
    "${command[@]}" >>"/var/log/$1.log" 2>&1
  else
    setsid "${command[@]}" >>"/var/log/$1.log" 2>&1 &
    echo $! >"$state/$1.pid"
  fi
}

action=$1
shift
[ "${1:-}" != --now ] || shift
case $action in
  daemon-reload) ;;
  enable | start) for unit in "$@"; do start "$unit"; done ;;
  restart) for unit in "$@"; do stop "$unit"; start "$unit"; done ;;
  *) echo "systemctl $action is not known here" >&2; exit 1 ;;
esac
