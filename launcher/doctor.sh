# shellcheck shell=bash disable=SC2154 # root, app and jdk come from ../hiroba
# What is there, what is missing and how to mend it.

sound=0
good() { say "  ✓ $(label "$1") $2"; }
could() { say "  – $(label "$1") $2"; }
bad() { say "  ✗ $(label "$1") $2"; sound=1; }

free_kb() { # of the file system that holds a folder, which need not exist yet
  local folder=$1
  while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
  df -Pk "$folder" | awk 'NR == 2 { print $4 }'
}

browser() { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome || return 1; }

to_build() { # and to test, which only a checkout does
  local module
  if have mvn; then good Maven "$(command -v mvn)"; else bad Maven "$(text not-found "$(how_to_install maven maven maven)")"; fi
  for module in server cli; do
    if stale "$module"; then could "$module" "$(text not-built)"
    else good "$module" "$(text built)"; fi
  done
  if have gcc; then good gcc "$(text gcc-found)"
  else could gcc "$(text gcc-none "$(how_to_install 'gcc libc6-dev' gcc gcc)")"; fi
  if have apt-get; then good apt-get "$(text apt-found)"
  else could apt-get "$(text apt-none)"; fi
  text to-test
  if browser >/dev/null; then good browser "$(browser)"; else could browser "$(text not-found "$(how_to_install chromium chromium chromium)")"; fi
  if have redis-server; then good redis "$(command -v redis-server)"; else could redis "$(text not-found "$(how_to_install redis-server redis redis)")"; fi
  if have prometheus; then good prometheus "$(command -v prometheus)"; else could prometheus "$(text not-found "$(how_to_install prometheus prometheus prometheus)")"; fi
  if have pgbouncer || [ -x /usr/sbin/pgbouncer ]; then good pgbouncer "$(command -v pgbouncer || say /usr/sbin/pgbouncer)"
  else could pgbouncer "$(text not-found "$(how_to_install pgbouncer pgbouncer pgbouncer)")"; fi
}

clock() { # codes of authenticator apps, certificates and leases go by it; only systemd can be asked
  case $(timedatectl show --property=NTPSynchronized --value 2>/dev/null) in
    yes) good clock "$(text clock-kept)" ;;
    no) could clock "$(text clock-loose)" ;;
    *) could clock "$(text clock-unknown)" ;;
  esac
}

doctor() {
  local free unfinished words=("$@")
  options "$@"
  readable
  text to-run
  if [ "$packed" = yes ]; then find_jdk; else search_jdk; fi
  if [ -n "$jdk" ]; then good JDK "$(text jdk-found "$(release_of "$jdk" JAVA_VERSION)" "$jdk")"; else bad JDK "$(text jdk-none "$(jdk_advice)")"; fi
  free=$(free_kb "$data")
  if [ "$free" -ge 1048576 ]; then good disk "$(text disk-free "$((free * 1024 / 1000000000))" "$data")"
  else bad disk "$(text disk-full "$((free * 1024 / 1000000))" "$data")"; fi
  clock
  [ "$packed" = yes ] || to_build
  text the-server
  if running >/dev/null; then good running "$(text runs-at "$(address)" "$(running)")"; else could running "$(text runs-not)"; fi
  if ! unfinished=$(whole 2>&1); then bad data "${unfinished#hiroba: }"
  elif [ -n "$jdk" ] && { [ "$packed" = yes ] || [ -e "$app/server/stamp" ]; }; then
    main_class doctor ${words[@]+"${words[@]}"} || sound=1
  else could database "$(text database-later)"; fi
  exit "$sound"
}
