# For scripts that build: source tools/progress.sh

# Follows Ninja's lines "[3/40] Building ...": says once that something is built, and on a terminal how far it is.
show_progress() {
  local line announced=""
  while read -r line; do
    [[ $line =~ ^\[[1-9][0-9]*/[0-9]+\] ]] || continue
    [[ -n $announced ]] || echo "carom: $1" >&2
    [[ ! -t 2 ]] || printf '\r%s\e[K' "${BASH_REMATCH[0]}" >&2
    announced=yes
  done
  [[ ! -t 2 || -z $announced ]] || printf '\r\e[K' >&2
}
