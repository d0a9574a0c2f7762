#!/bin/sh
# The race against other programs: race.sh EBB [quick] [list] [commands] [sync] [keep] [NAME…]
# Installs the rivals that are missing, from Debian and PyPI; what cannot be installed is left out, and the report says so.
set -u
ebb=$1
shift
here=$(dirname "$0")/../..
out=$here/.build/race
tools=$out/tools
say() { printf 'race: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif have sudo && [ -t 0 ]; then sudo "$@"
  elif have sudo; then sudo -n "$@"
  else return 1
  fi
}

mkdir -p "$out" || exit 1
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { say 'Python 3.11 or later is needed.'; exit 1; }

# The package of each program; taskd is a server that must not be started by its installation.
missing=
for pair in task:taskwarrior taskd:taskd calcurse:calcurse tudu:tudu git:git openssl:openssl; do
  have "${pair%%:*}" || missing="$missing ${pair#*:}"
done
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
if [ -n "$missing" ] && have apt-get; then
  say "installing$missing"
  as_root apt-get -qq update >"$out/apt.log" 2>&1
  for package in $missing; do
    as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq install -y "$package" >>"$out/apt.log" 2>&1 ||
      say "$package could not be installed ($out/apt.log says why)."
  done
fi

wanted=$here/Resources/run/race.txt
if ! cmp -s "$wanted" "$tools/installed.txt"; then
  say 'installing what comes from PyPI'
  if python3 -m venv --clear "$tools" >"$out/pip.log" 2>&1; then
    all=yes
    # One at a time: what one of them wants must not keep the others out.
    while read -r package; do
      case $package in '' | '#'*) continue ;; esac
      # shellcheck disable=SC2086: a line may name several packages that belong together.
      "$tools/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 $package \
        >>"$out/pip.log" 2>&1 || { all=no; say "$package could not be installed ($out/pip.log says why)."; }
    done <"$wanted"
    [ "$all" = no ] || cp "$wanted" "$tools/installed.txt"
  else say "no Python environment could be made ($out/pip.log says why)."
  fi
fi

export PYTHONDONTWRITEBYTECODE=1
(cd "$here/Tests/Race" && python3 -m unittest --quiet) || exit 1
exec python3 "$here/Tests/Race/race.py" --ebb "$ebb" --tools "$(cd "$out" && pwd)/tools/bin" --out "$out" --sizes "${SIZES-}" "$@"
