# shellcheck shell=bash
# One at a time: the builds of a checkout, the starts on a data folder.

take() { # lock file, a descriptor to hold it with, what to say when it takes time
  local said=no holder
  if have flock; then
    eval "exec $2>>\"\$1\""
    flock -n "$2" || { say "· $3" >&2; flock "$2"; }
    return
  fi
  # macOS has no flock: a link that names its holder, which is void once the holder is gone.
  until ln -s "$$" "$1.held" 2>/dev/null; do
    holder=$(readlink "$1.held") || continue
    if ! kill -0 "$holder" 2>/dev/null; then rm -f "$1.held"; continue; fi
    [ "$said" = yes ] || { say "· $3" >&2; said=yes; }
    sleep 0.1
  done
}

give() { # what take took
  eval "exec $2>&-"
  if [ "$(readlink "$1.held" 2>/dev/null)" = "$$" ]; then rm -f "$1.held"; fi
}
