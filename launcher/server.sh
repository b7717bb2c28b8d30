# shellcheck shell=bash disable=SC2154 # root, app, jdk, language and no_aot come from ../hiroba, data, port, probe, foreground, demo and rest from settings.sh
# Starts, watches, stops and describes the server of a data folder.

running() { # the pid of the server of this data folder, if it runs; a number taken by another program does not count
  local pid='' word main=no
  if [ -r "$data/hiroba.pid" ]; then read -r pid <"$data/hiroba.pid" || :; fi
  [ -n "$pid" ] || return 1
  if [ ! -d /proc/self ]; then
    case $(ps -ww -p "$pid" -o command=) in *"io.hiroba.Main serve --data=$data"*) say "$pid"; return ;; *) return 1 ;; esac
  fi
  while IFS= read -r -d '' word; do
    case $main$word in
      *io.hiroba.Main) main=yes ;;
      yes--data=*) # nor does another Hiroba, with a folder of its own
        [ "${word#--data=}" -ef "$data" ] || return 1
        say "$pid"; return ;;
    esac
  done <"/proc/$pid/cmdline"
  return 1
} 2>/dev/null

readable() { # a folder of another user's, or in one of theirs, tells nothing of its server
  local folder=$data
  [ ! -e "$data/hiroba.pid" ] || [ -r "$data/hiroba.pid" ] || die "$(text not-readable "$data")"
  while [ "$folder" != / ]; do
    if [ -d "$folder" ] && [ ! -x "$folder" ]; then die "$(text not-readable "$data")"; fi
    folder=$(dirname "$folder")
  done
}

whole() { # as the server itself sees it (RestoreRun.isUnfinished), but before anything is made in the folder
  if [ -e "$data/restore.lock" ] || [ -e "$data/.partial/restore.lock" ] || [ -e "$data/.complete/postgres" ]; then
    die "$(text unfinished-restore "$data")"
  fi
  # Nor is an empty Hiroba what somebody wants who restores into this folder.
  if [ ! -e "$data" ] && { [ -e "${data%/}.partial/restore.lock" ] || [ -e "${data%/}.partial/restore.done" ]; }; then
    die "$(text unfinished-restore "${data%/}.partial")"
  fi
}

address() { # from the server's own words if it has said them, else from what it was started with
  local line=''
  line=$(grep -m 1 '^READY ' "$data/log/start.log" 2>/dev/null) || line=$(sed -n 2p "$data/hiroba.pid" 2>/dev/null) || :
  say "${line#READY }"
}

answers() { # does http://host:port$2 answer 200? without needing curl
  local host=${1#*://} status=''
  host=${host%%/*}
  { exec 8<>"/dev/tcp/${host%:*}/${host##*:}"; } 2>/dev/null || return 1
  printf 'GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nConnection: close\r\n\r\n' "$2" "$host" >&8 2>/dev/null || :
  IFS= read -r -t 5 status <&8 || :
  while IFS= read -r -t 5 _ <&8; do :; done
  exec 8>&-
  case $status in "HTTP/1.1 200"*) ;; *) return 1 ;; esac
}

aot_cache() {
  if [ "$packed" = yes ]; then say "$app/server/aot.cache"; return; fi
  say "$app/server/aot-$(release_of "$jdk" JAVA_RUNTIME_VERSION).cache"
}

java_command=()
server_command() { # the words that start io.hiroba.Main; further JVM options as arguments
  # shellcheck disable=SC2206 # the options are words
  local more=(${HIROBA_JAVA_OPTS:-})
  export HIROBA_LANGUAGE=$language
  if [ "$packed" = yes ]; then set -- "-Dhiroba.postgresql=$root/pgsql" "$@"; fi
  set -- "-Dhiroba.commit=$(commit)" "$@"
  # The heap begins small, and what a busy hour needed goes back to the system when it is over.
  java_command=("$jdk/bin/java" -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError
    -Xms64m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30 -XX:G1PeriodicGCInterval=300000
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Djdk.reflect.useNativeAccessorOnly=true
    -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 -Duser.home="$HOME" "$@"
    ${more[@]+"${more[@]}"} -cp "$(classpath server)" io.hiroba.Main)
}

# Starts a command in a session of its own, with nothing of ours open, as a child that we can wait for.
detached() { # file for what it says, command
  local log=$1; shift
  if have setsid; then set -- setsid "$@"; else set -- nohup "$@"; fi
  rm -f "$log"
  ( umask 077; : >"$log" ) # it holds the first password, if one was generated, until that has been shown
  "$@" </dev/null >>"$log" 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
}

# Claims the data folder's pid file and becomes the server, so the number in the file is the server's from the start.
# shellcheck disable=SC2016 # expanded by the bash that it is given to
become_server='set -C; printf "%s\n" "$$" "$2" >"$1/hiroba.pid" || exit 1; set +C; shift 2; exec "$@" 6>&-'

already() {
  local pid
  pid=$(running) || return 1
  text running-already "$(address)" "$pid" "$data"
  [ "$demo" = yes ] || return 0
  if grep -qs '^DEMO ' "$data/log/start.log"; then text demo-there
  else text demo-at-start; fi
}

up() {
  local pid cache made=no more=()
  options "$@"
  ! already || return 0
  whole
  find_jdk
  cache=$(aot_cache)
  if port_taken; then die "$(text port-taken "$probe")"; fi
  if [ ! -d "$data" ]; then
    mkdir -p "$data" 2>/dev/null || die "$(text data-not-made "$data")"
    chmod 700 "$data"
    made=yes
  fi
  [ -w "$data" ] || die "$(text data-not-writable "$data")"
  if stale server; then ensure server cli; fi # the client along with it, which the next command will want
  take "$data/hiroba.lock" 6 "$(text waiting-for-start "$data")"
  if already; then give "$data/hiroba.lock" 6; return; fi # another one was quicker
  mkdir -p "$data/log"
  rm -f "$data/hiroba.pid"
  if [ -e "$cache" ] && [ -z "$no_aot" ]; then more+=("-XX:AOTCache=$cache"); fi
  if [ "$foreground" = no ]; then more+=("-Dhiroba.log.dir=$data/log"); fi
  server_command ${more[@]+"${more[@]}"}
  set -- "${java_command[@]}" serve "--data=$data" ${port:+"--http.port=$port"} ${rest[@]+"${rest[@]}"}
  set -- bash -c "$become_server" hiroba "$data" "http://127.0.0.1:$probe" "$@"
  if [ "$foreground" = yes ]; then
    rm -f "$data/log/start.log" "$data/hiroba.lock.held"
    exec "$@"
  fi
  detached "$data/log/start.log" "$@"
  pid=$!
  trap 'trap "" PIPE; kill "$pid" 2>/dev/null; text stopping || :; wait "$pid" || :; : >"$data/log/start.log"; exit 130' INT TERM HUP
  watch_start "$pid"
  trap - INT TERM HUP
  give "$data/hiroba.lock" 6
  [ -n "$no_aot" ] || train_in_background "$cache"
}

listening() { # is there a listener on the port, on 127.0.0.1 or on all addresses?
  local hex v4='(0100007F|7F000001|00000000)' v6='(0{32}|0{16}FFFF00000100007F|0{20}FFFF7F000001)'
  # A connection would wait for minutes where the listener does not accept, so ask the system where it can tell.
  if [ -r /proc/net/tcp ]; then
    hex=$(printf '%04X' "$probe")
    grep -qsE " ($v4|$v6):$hex [0-9A-F]+:0000 0A " /proc/net/tcp /proc/net/tcp6
  else { : 3<>"/dev/tcp/127.0.0.1/$probe"; } 2>/dev/null; fi
}

port_taken() { # a process that was just killed keeps its port for a moment
  local tries=0
  [ "$probe" -gt 0 ] || return 1
  while listening; do
    tries=$((tries + 1))
    [ "$tries" -lt 15 ] || return 0
    sleep 0.1
  done
  return 1
}

drawn=no
draw_bar() { # percent: a bar that grows in its place on a terminal, and a line now and then elsewhere
  local filled=$(($1 * 40 / 100)) full='########################################' rest_of_it='........................................'
  if [ -t 1 ]; then
    printf '\r%s [%s%s] %3d %%' "$(text demo-bar)" "${full:0:filled}" "${rest_of_it:filled}" "$1"
    drawn=yes
  elif [ $(($1 % 20)) -eq 0 ]; then text demo-percent "$1"; fi
}

watch_start() { # shows what the server says until it is ready
  local line part='' full='' code=0 log=$data/log/server.log start=$data/log/start.log before=0
  if [ -e "$log" ]; then before=$(wc -c <"$log"); fi
  exec 7<"$start"
  while :; do
    while IFS= read -r line <&7; do
      line=$part$line part=''
      case $line in
        # The rest is blotted out: the first password, if one was generated, is in it.
        "READY "*) exec 7<&-; printf '%s\n' "$line" ${full:+"$full"} >"$start"; return ;;
        "["*) ;; # from the JVM's own log
        "DEMO full") full=$line ;;
        "· "*[0-9]" %") line=${line% %}; draw_bar "${line##*[!0-9]}" ;;
        *) if [ "$drawn" = yes ]; then printf '\n'; drawn=no; fi
          say "$line" ;;
      esac
    done
    part=$part$line
    if ! kill -0 "$1" 2>/dev/null; then break; fi
    sleep 0.03
  done
  wait "$1" || code=$?
  exec 7<&-
  if [ "$code" -eq 2 ]; then # it said above which setting it refuses, and has made nothing
    if [ "${made:-no}" = yes ]; then
      rm -f "$data/hiroba.lock" "$data/hiroba.pid" "$start"
      rm -d "$data/log" "$data" 2>/dev/null || :
    fi
    exit 2
  fi
  complain "$(text ended-early "$code" "$start" "$log")"
  grep '^\[' "$start" | tail -n 10 >&2 || : # what was not shown yet
  if [ -e "$log" ]; then tail -c "+$((before + 1))" "$log" | tail -n 15 >&2; fi
  exit 1
}

# A start with an AOT cache takes half the time. Making one takes a start and a stop of a server on a database
# that is thrown away, after the start that built it; nothing of the user's own settings takes part.
train_in_background() { # cache file
  if [ "$packed" = yes ] || [ -e "$1" ] || [ -e "$app/server/aot.log" ] || [ ! -w "$app/server" ] || brings_database; then return 0; fi
  detached "$app/server/aot.log" nice -n 19 env -i PATH="$PATH" HOME="$HOME" LC_ALL="${LC_ALL:-C.UTF-8}" \
    HIROBA_LANGUAGE="$language" HIROBA_JAVA_HOME="$jdk" ${XDG_CACHE_HOME:+"XDG_CACHE_HOME=$XDG_CACHE_HOME"} "$root/hiroba" train-aot "$1"
}

train() { # cache file
  local url page
  cache=$1 pid=''
  find_jdk
  # shellcheck disable=SC2086 # names of variables
  unset ${!HIROBA_@} # nor may a file of the user's settings take part, such as one in the folder we were called from
  data=$cache.train
  trap 'cd "$root"; [ -z "$pid" ] || kill "$pid" 2>/dev/null || :; rm -rf "$data" "$cache.new" "$cache.new.config"' EXIT
  trap 'exit 130' INT TERM HUP
  rm -rf "$data"
  mkdir -p "$data/log"
  cd "$data" || exit
  server_command -XX:AOTCacheOutput="$cache.new" "-Dhiroba.log.dir=$data/log"
  detached "$data/log/start.log" "${java_command[@]}" serve "--data=$data" --http.port=0
  pid=$!
  watch_start "$pid"
  url=$(address)
  for page in / /login /signup /docs /healthz /readyz /metrics /api/v1/me / /login; do answers "$url" "$page" || :; done
  kill "$pid"
  wait "$pid" || :
  pid=''
  tail -n 20 "$data/log/start.log"
  if [ -s "$cache.new" ]; then mv -f "$cache.new" "$cache"; fi
}

stop() {
  local pid waited=0
  options "$@"; only stop; readable
  pid=$(running) || { text not-running "$data"; return; }
  kill "$pid" || die "$(text not-yours "$pid")"
  while running >/dev/null; do
    [ "$waited" -lt 1000 ] || die "$(text not-stopped "$pid" "$data/log")"
    [ "$waited" -ne 20 ] || text waiting-for-requests
    sleep 0.1
    waited=$((waited + 1))
  done
  rm -f "$data/hiroba.pid"
  text stopped
}

status() {
  local pid ready=not-ready
  options "$@"; only status; readable
  pid=$(running) || { text not-running-start "$data"; exit 3; }
  if answers "$(address)" /readyz; then ready=ready; fi
  text "running-$ready" "$(address)" "$pid" "$data"
}

main_class() { # runs a command of the server's program that ends by itself
  local command=$1; shift
  options "$@"
  server_command -XX:TieredStopAtLevel=1 -Xlog:disable
  "${java_command[@]}" "$command" "--data=$data" ${port:+"--http.port=$port"} ${rest[@]+"${rest[@]}"}
}

server_words() { # a command of the server's program with words of its own; --data and --config are the server's
  local command=$1 ours=() words=(); shift
  while [ $# -gt 0 ]; do
    case $1 in
      --data | --config) ours+=("$1" "${2:-}"); [ $# -lt 2 ] || shift ;;
      --data=* | --config=*) ours+=("$1") ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  options ${ours[@]+"${ours[@]}"}
  readable
  ensure server
  server_command -Xlog:disable
  "${java_command[@]}" "$command" "--data=$data" ${rest[@]+"${rest[@]}"} -- ${words[@]+"${words[@]}"}
}

database_program() { # psql or pg_dump, with options of its own: on the database that runs for a data folder
  local program=$1 role=hiroba_readonly limits='-c default_transaction_read_only=on' ours=() words=() line folder server=() password; shift
  while [ $# -gt 0 ]; do
    case $1 in
      --data | --config) ours+=("$1" "${2:-}"); [ $# -lt 2 ] || shift ;;
      --data=* | --config=*) ours+=("$1") ;;
      --write) [ "$program" = psql ] || die "$(text unknown-option "$program" "$1")" 2
        role=hiroba_app limits='' ;;
      --) shift; words+=("$@"); break ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  [ "$program" = psql ] || role=hiroba_owner # whose the sequences are, which the others may not read
  options ${ours[@]+"${ours[@]}"}
  readable
  # The number of the process, and in later lines the port and whether it takes connections.
  while IFS= read -r line || [ -n "$line" ]; do server+=("$line"); done 2>/dev/null <"$data/postgres/data/postmaster.pid" || :
  if [ -z "${server[7]:-}" ] || ! kill -0 "${server[0]}" 2>/dev/null; then
    if brings_database; then die "$(text own-database "$program")" 2; fi
    die "$(text not-running-start "$data")" 3
  fi
  { IFS= read -r password <"$data/postgres/password-$role"; } 2>/dev/null || die "$(text not-readable "$data")"
  if [ "$packed" = yes ]; then folder=$root/pgsql; else
    ensure server
    folder=$(main_class postgresql-client) || exit
  fi
  # shellcheck disable=SC2086 # names of variables
  unset ${!PG@}
  PGHOST=127.0.0.1 PGPORT=${server[3]} PGUSER=$role PGPASSWORD=$password PGDATABASE=postgres PGSSLMODE=disable PGGSSENCMODE=disable \
    PGCLIENTENCODING=UTF8 PGOPTIONS=$limits exec "$folder/bin/$program" ${words[@]+"${words[@]}"}
}
