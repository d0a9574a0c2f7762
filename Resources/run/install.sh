#!/bin/sh
# Puts Ebb where it belongs, or takes it away: install.sh install|remove ROOT PREFIX [PART…]. ROOT stands before PREFIX, and is
# empty for this system. The parts are program, manual, completions, documents, units of the system and units of a user; without
# one, all of them.
# EBB is the program; ZSH the folder of completions for zsh, below PREFIX.
set -eu
cd "$(dirname "$0")/../.."
verb=$1 root=$2 prefix=$3
shift 3
parts=${*:-program manual completions documents units user_units}
for word in "$verb" $parts; do
  case $word in
    install | remove | program | manual | completions | documents | units | user_units) ;;
    *) echo "ebb: install.sh knows no '$word'." >&2; exit 64 ;;
  esac
done
target=$root$prefix

# What is installed: mode, source, and where it goes below PREFIX.
program() { echo "755 ${EBB:-.build/release/ebb} bin/ebb"; }

manual() {
  for page in Resources/man/*.[15] Resources/man/*/*.[15]; do
    language=$(dirname "${page#Resources/man/}")
    echo "644 $page share/man/$(echo "$language/man${page##*.}" | sed 's|^\./||')/$(basename "$page")"
  done
}

completions() {
  echo 644 Resources/completions/ebb.bash share/bash-completion/completions/ebb
  echo 644 Resources/completions/_ebb "${ZSH:-share/zsh/site-functions}/_ebb"
  echo 644 Resources/completions/ebb.fish share/fish/vendor_completions.d/ebb.fish
}

documents() {
  for page in LICENSE README.md Resources/docs/CHANGELOG.md; do echo "644 $page share/doc/ebb/$(basename "$page")"; done
  for file in nginx.conf Caddyfile fail2ban.conf; do echo "644 Resources/serve/$file share/doc/ebb/examples/$file"; done
}

units() {
  for unit in ebb.service ebb.socket; do echo "644 Resources/serve/$unit lib/systemd/system/$unit"; done
}

user_units() {
  for unit in Resources/user/*.service Resources/user/*.timer; do
    if [ -e "$unit" ]; then echo "644 $unit lib/systemd/user/$(basename "$unit")"; fi
  done
}

for part in $parts; do "$part"; done | while read -r mode source place; do
  if [ "$verb" = remove ]; then rm -f "$target/$place"; continue; fi
  install -d "$(dirname "$target/$place")"
  case $place in
    bin/*)
      install -m "$mode" "$source" "$target/$place.new"
      ! command -v strip >/dev/null || strip "$target/$place.new"
      # A program that runs goes on with the old file.
      mv -f "$target/$place.new" "$target/$place" ;;
    *.service)
      sed "s|/usr/local/bin/|$prefix/bin/|" "$source" >"$target/$place"
      chmod "$mode" "$target/$place" ;;
    *) install -m "$mode" "$source" "$target/$place" ;;
  esac
done

# Folders that nobody else has anything in.
[ "$verb" != remove ] || rmdir "$target/share/doc/ebb/examples" "$target/share/doc/ebb" 2>/dev/null || true
