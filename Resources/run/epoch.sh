# Sets SOURCE_DATE_EPOCH, the moment that files in packages get: that of the last commit, else of the newest change that
# CHANGELOG.md tells of. To be read by other scripts.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null) ||
    SOURCE_DATE_EPOCH=$(date -u -d "$(sed -n 's/^## .*(\(.*\))$/\1/p' Resources/docs/CHANGELOG.md | head -n 1)" +%s)
fi
export SOURCE_DATE_EPOCH
