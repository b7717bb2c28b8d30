# shellcheck shell=bash disable=SC2154 # root, app, launcher and jdk come from ../hiroba
# Packs everything that Hiroba runs on into one archive, which needs no Java, Maven, compiler or network.

# What jdeps finds on the class path, and what is loaded by name: charsets of imported files, the languages of pages, curves
# of certificates, zip files of models, DNS, and the commands that look into a JVM.
modules=java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss
modules=$modules,java.security.sasl,java.sql,java.xml,jdk.charsets,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.localedata
modules=$modules,jdk.management,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs

dist() {
  local version arch name out tree epoch level=-9
  while [ $# -gt 0 ]; do
    case $1 in
      *) die "$(text unknown-option dist "$1")" 2 ;;
    esac
    shift
  done
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) arch=amd64 ;;
    Linux-aarch64) arch=arm64 ;;
    *) die "$(text dist-linux)" ;;
  esac
  ensure server cli
  version=$(version_number)
  name=hiroba-$version-linux-$arch
  out=$root/target/dist tree=$root/target/dist/$name
  epoch=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || say 1767225600)}
  mkdir -p "$out"
  take "$out/lock" 9 "$(text waiting-for-build)"
  rm -rf "$tree" "$out/$name.tar.gz"
  mkdir -p "$tree/bin" "$tree/lib" "$tree/share/doc/hiroba"
  pack_java
  pack_programs
  pack_postgresql
  pack_documents
  settle
  if [ -z "$no_aot" ]; then pack_caches; else level=-1; fi # without them it is only to be tried
  text dist-archive >&2
  tar -C "$out" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$name" 9>&- |
    gzip -n "$level" 9>&- >"$out/$name.tar.gz.new"
  mv -f "$out/$name.tar.gz.new" "$out/$name.tar.gz"
  give "$out/lock" 9
  text dist-size "$(($(du -sk "$tree" | cut -f 1) / 1024))" "$(($(wc -c <"$out/$name.tar.gz") / 1048576))" >&2
  say "$out/$name.tar.gz"
}

settle() { # one time and plain permissions: the caches know the jars by their time, and two builds are to be equal
  chmod -R u+rwX,go+rX,go-w "$tree"
  find "$tree" -exec touch -h -d "@$epoch" {} +
}

pack_java() {
  text dist-java >&2
  "$jdk/bin/jlink" --add-modules "$modules" --include-locales=en,ja,zh --strip-java-debug-attributes --no-header-files \
    --no-man-pages --output "$tree/jre" >"$out/jlink.log" 2>&1 9>&- || die "$(text dist-failed "$out/jlink.log")"
}

pack_programs() {
  local module jar
  cp "$root/hiroba" "$tree/bin/hiroba"
  mkdir -p "$tree/lib/launcher"
  cp "$launcher"/*.sh "$tree/lib/launcher/"
  rm -f "$tree/lib/launcher/test.sh" "$tree/lib/launcher/dist.sh"
  for module in server cli; do
    mkdir -p "$tree/lib/$module/lib"
    cp "$app/$module"/*.jar "$tree/lib/$module/"
    cp "$app/$module"/lib/*.jar "$tree/lib/$module/lib/"
  done
  rm -f "$tree"/lib/server/lib/embedded-postgres-binaries-*.jar # they are unpacked beside it
  for jar in "$tree"/lib/server/lib/onnxruntime-*.jar "$tree"/lib/server/lib/tokenizers-*.jar; do
    if [ -e "$jar" ]; then without_other_systems "$jar"; fi
  done
  printf '%s="%s"\n' VERSION "$version" COMMIT "$(commit)" POSTGRESQL "$(postgresql_version)" >"$tree/release"
}

without_other_systems() { # a jar with native libraries for every system: those of other ones are most of it
  local folder=$out/jar.$$ ours
  case $arch in amd64) ours='linux-x64|linux-x86_64' ;; *) ours=linux-aarch64 ;; esac
  mkdir -p "$folder"
  "$jdk/bin/jar" tf "$1" | awk -v ours="native/(lib/)?($ours)/" '/\/$/ { next } $0 ~ ours || !/native\/(lib\/)?(win|osx|linux)-/' |
    LC_ALL=C sort >"$folder.kept"
  (cd "$folder" && "$jdk/bin/jar" xf "$1" "@$folder.kept" && rm -f "$1" &&
    "$jdk/bin/jar" --create --no-manifest --date=1980-02-01T00:00:00Z --file "$1" "@$folder.kept") || die "$(text dist-failed "$1")"
  rm -rf "$folder" "$folder.kept"
}

pack_postgresql() { # with what it runs on alone: neither what programs are compiled against nor embedded SQL
  local from
  from=$(main_class postgresql 9>&-) || die "$(text dist-failed PostgreSQL)"
  cp -R "$from" "$tree/pgsql"
  rm -rf "$tree"/pgsql/include "$tree"/pgsql/lib/pkgconfig "$tree"/pgsql/lib/*.a "$tree"/pgsql/lib/libecpg* "$tree"/pgsql/lib/libpgtypes*
}

pack_documents() {
  cp "$root/LICENSE" "$root/NOTICE" "$root"/README*.md "$root/CHANGELOG.md" "$tree/share/doc/hiroba/"
  cp -R "$root/docs" "$tree/share/doc/hiroba/docs"
}

pack_caches() { # of the run time and the jars as they are now: a cache fits no others, but any folder that they are moved to
  text preparing >&2
  "$tree/jre/bin/java" -Xshare:dump 9>&- >"$out/caches.log" 2>&1 || die "$(text dist-failed "$out/caches.log")"
  HIROBA_TOKEN=none "$tree/jre/bin/java" "${client_flags[@]}" -XX:ArchiveClassesAtExit="$tree/lib/cli/classes.jsa" \
    -cp "$(app=$tree/lib; classpath cli)" io.hiroba.cli.Main user list --url http://127.0.0.1:1 </dev/null >/dev/null 2>&1 9>&- || :
  env -i PATH="$PATH" HOME="$HOME" LC_ALL=C.UTF-8 "$tree/bin/hiroba" train-aot "$out/aot.cache" 9>&- >>"$out/caches.log" 2>&1 || :
  [ -s "$out/aot.cache" ] || die "$(text dist-failed "$out/caches.log")"
  mv -f "$out/aot.cache" "$tree/lib/server/aot.cache"
  settle
}
