# shellcheck shell=bash disable=SC2154 # root, app, jdk and no_aot come from ../hiroba
# Builds what is missing or stale, and only that.

parts_of() { # the Maven modules whose sources a runnable module is made of
  case $1 in
    server) say contract embedded server ;;
    cli) say cli ;;
    bench) say contract embedded server bench ;;
  esac
}

stale() { # is the module $1 not built, or older than one of its sources?
  local stamp=$app/$1/stamp part paths
  [ "$packed" = no ] || return 1
  [ -e "$stamp" ] || return 0
  paths=("$root/pom.xml")
  for part in $(parts_of "$1"); do paths+=("$root/$part"); done
  # A folder's own time tells of deleted files, but a module's top folder also changes when target/ appears in it.
  [ -n "$(find "${paths[@]}" \( -name target -o -path '*/src/test' \) -prune -o \
    \( ! -type d -o -path '*/src/main*' \) -newer "$stamp" -print 2>/dev/null | head -n 1)" ]
}

# Copies what a module runs on out of Maven's way: a later build overwrites its jars in place, under a running server.
assemble() { # module, stamp
  local new=$app/$1.$$ from=$root/$1/target jar
  rm -rf "$new" && mkdir -p "$new/lib"
  for jar in "$from/hiroba-$1"-*.jar; do case $jar in *-tests.jar) ;; *) cp -p "$jar" "$new/" ;; esac; done
  ln "$from"/lib/*.jar "$new/lib/" 2>/dev/null || cp -p "$from"/lib/*.jar "$new/lib/"
  for jar in "$from"/lib/hiroba-*.jar; do
    if [ -e "$jar" ]; then cp -p "$jar" "$new/lib/own" && mv -f "$new/lib/own" "$new/lib/${jar##*/}"; fi
  done
  cp -p "$2" "$new/stamp"
  rm -rf "${app:?}/$1" && mv "$new" "$app/$1"
  [ "$1" != cli ] || [ -n "$no_aot" ] || warm_client
}

# The client lives for a moment, so its start is what it costs: an archive of the classes that a request loads, made by a
# request that is refused at once, halves it.
client_flags=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xlog:disable -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8)
warm_client() {
  HIROBA_TOKEN=none "$jdk/bin/java" "${client_flags[@]}" -XX:ArchiveClassesAtExit="$app/cli/classes.jsa" \
    -cp "$(classpath cli)" io.hiroba.cli.Main user list --url http://127.0.0.1:1 </dev/null >/dev/null 2>&1 || :
}

show_modules() { # passes Maven's output on to a file, and a line a module to the reader
  local line name
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    case $line in "[INFO] Building Hiroba "[a-z]*)
      name=${line#"[INFO] Building Hiroba "}
      say "  · ${name%% [0-9]*}" >&2 ;;
    esac
  done 3>"$1"
}

build() { # modules: one Maven run for all of them, without the checks and tests that running does not need
  local log=$root/target/build.log stamp=$root/target/stamp.$$ module modules
  find_maven
  modules=$(IFS=,; say "$*")
  text building "$modules" >&2 # not among what a command answers
  : >"$stamp" # the time the build began: what is saved while it runs is newer
  for module; do rm -rf "${root:?}/$module/target/lib"; done
  if ! "${maven[@]}" -T 2 -pl "$modules" -am package -Dmaven.test.skip=true </dev/null 2>&1 9>&- | show_modules "$log"; then
    rm -f "$stamp"
    grep -E '^\[ERROR\]' "$log" | head -n 20 >&2 || tail -n 20 "$log" >&2
    die "$(text build-failed "$log")"
  fi
  for module; do assemble "$module" "$stamp"; done
  rm -f "$stamp"
}

ensure() { # builds the modules that are stale; one build at a time
  find_jdk
  local module todo=()
  for module; do ! stale "$module" || todo+=("$module"); done
  [ "${#todo[@]}" -gt 0 ] || return 0
  take_build
  todo=(); for module; do ! stale "$module" || todo+=("$module"); done # what another build has made meanwhile is not
  if [ "${#todo[@]}" -gt 0 ]; then build "${todo[@]}"; fi
  give "$root/target/lock" 9
}

take_build() {
  mkdir -p "$root/target" 2>/dev/null || :
  [ -w "$root/target" ] || die "$(text not-writable "$root")"
  take "$root/target/lock" 9 "$(text waiting-for-build)"
}

checkout_only() { # command
  [ "$packed" = no ] || die "$(text needs-checkout "$1")" 2
}

version_number() {
  if [ "$packed" = yes ]; then release_of "$root" VERSION
  else sed -n 's|^  <version>\(.*\)</version>|\1|p' "$root/pom.xml"; fi
}

postgresql_version() { # of the embedded one
  if [ "$packed" = yes ]; then release_of "$root" POSTGRESQL
  else sed -n 's|^ *<postgres-binaries.version>\(.*\)</.*|\1|p' "$root/pom.xml"; fi
}

commit() { # from which this was built, or nothing where that is not known
  if [ "$packed" = yes ]; then release_of "$root" COMMIT
  elif have git; then git -C "$root" rev-parse --short=12 HEAD 2>/dev/null || :; fi
}

classpath() { # of a module, in an order that stays: the AOT cache depends on it
  local jars; jars=$(printf ':%s' "$app/$1"/*.jar "$app/$1"/lib/*.jar)
  say "${jars#:}"
}
