# What test-packages.sh and test-units.sh share: systems of their own, made of a Debian's or an Ubuntu's base. A script that reads
# this sets $work first, the folder of its copies, and defines `stop`, which ends what it started.
systems=.build/systems

say() { printf '%s\n' "$*"; }
fail() { printf 'ebb: %s\n' "$*" >&2; exit 1; }
expect() { [ "$2" = "$3" ] || fail "$1: expected '$3', but it is '$2'"; }
there() { for file in "$@"; do [ -e "$root$file" ] || fail "$file is not there"; done; }
gone() { for file in "$@"; do [ ! -e "$root$file" ] || fail "$file is still there"; done; }
bare() { env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=xterm DEBIAN_FRONTEND=noninteractive "$@"; }
within() { bare chroot "$root" "$@"; }
packages() { within apt-get -qq "$@" >"$systems/apt.log" 2>&1 || { cat "$systems/apt.log" >&2; fail "apt-get $* failed"; }; }

leave() {
  stop
  for mounted in "$work"/*/proc "$work"/*/dev/pts; do umount "$mounted" 2>/dev/null || true; done
  rm -rf --one-file-system "$work"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# need TOOL…: installs those that are missing, from packages of the same name.
need() {
  [ "$(id -u)" = 0 ] || fail 'the packages are installed in systems of their own, and only root can make those: run this as root.'
  missing=
  for tool in "$@"; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
  [ -z "$missing" ] || { say "installing what is missing:$missing"; DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $missing >/dev/null; }
  mkdir -p "$work"
}

# system NAME: a fresh copy of the base of a system, in $root.
system() {
  base=$systems/$1
  case $1 in jammy) mirror=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu} ;; *) mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian} ;; esac
  if [ ! -e "$base/.complete" ]; then
    say "fetching the base of $1"
    rm -rf "$base"
    debootstrap --variant=minbase "$1" "$base" "$mirror" >"$systems/$1.log" 2>&1 || { tail -n 5 "$systems/$1.log" >&2; fail "$1 could not be fetched"; }
    touch "$base/.complete"
  fi
  root=$work/$1
  umount "$root/proc" "$root/dev/pts" 2>/dev/null || true
  rm -rf --one-file-system "$root"
  cp -a "$base" "$root"
  # A Swift program reads its arguments in the one, and `script` makes a terminal in the other.
  mount -t proc proc "$root/proc"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
}
