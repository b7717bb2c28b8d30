# shellcheck shell=bash disable=SC2154 # root, app and jdk come from ../hiroba
# What is there, what is missing and how to mend it.

sound=0
good() { printf '  ✓ %-12s %s\n' "$1" "$2"; }
could() { printf '  – %-12s %s\n' "$1" "$2"; }
bad() { printf '  ✗ %-12s %s\n' "$1" "$2"; sound=1; }

free_kb() { # of the file system that holds a folder, which need not exist yet
  local folder=$1
  while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
  df -Pk "$folder" | awk 'NR == 2 { print $4 }'
}

browser() { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome || return 1; }

doctor() {
  local free words=("$@") module
  options "$@"
  say "What Hiroba needs to run:"
  search_jdk
  if [ -n "$jdk" ]; then good JDK "$(release_of "$jdk" JAVA_VERSION) in $jdk"; else bad JDK "none of version 25. $(jdk_advice)"; fi
  if have mvn; then good Maven "$(command -v mvn)"; else bad Maven "not found: $(how_to_install maven maven maven)"; fi
  free=$(free_kb "$data")
  if [ "$free" -ge 1048576 ]; then good disk "$((free / 1048576)) GB free for $data"
  else bad disk "only $((free / 1024)) MB free for $data: make room, or choose another folder with --data"; fi
  for module in server cli; do
    if stale "$module"; then could "$module" "not built yet, or older than its source: ./hiroba up builds it"
    else good "$module" "built"; fi
  done
  if have gcc; then good gcc "builds pgvector where the system has none"
  else could gcc "not found; only needed where the system has no pgvector: $(how_to_install 'gcc libc6-dev' gcc gcc)"; fi
  if have apt-get; then good apt-get "fetches pgvector where the system has none"
  else could apt-get "not found: pgvector must come from the system, or from the database that HIROBA_DATABASE_URL names"; fi
  say "What only ./hiroba test needs:"
  if browser >/dev/null; then good browser "$(browser)"; else could browser "not found: $(how_to_install chromium chromium chromium)"; fi
  if have redis-server; then good redis "$(command -v redis-server)"; else could redis "not found: $(how_to_install redis-server redis redis)"; fi
  say "The server:"
  if running >/dev/null; then good running "$(address) (pid $(running))"; else could running "no: ./hiroba up"; fi
  if [ -n "$jdk" ] && [ -e "$app/server/stamp" ]; then
    main_class doctor ${words[@]+"${words[@]}"} || sound=1
  else could database "can be examined once the server is built"; fi
  exit "$sound"
}
