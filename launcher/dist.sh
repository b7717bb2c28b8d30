# shellcheck shell=bash disable=SC2154 # root, app, launcher and jdk come from ../hiroba
# Packs everything that Hiroba runs on into one archive, which needs no Java, Maven, compiler or network.

# What jdeps finds on the class path, and what is loaded by name: charsets of imported files, the languages of pages, curves
# of certificates, zip files of models, DNS, and the commands that look into a JVM.
modules=java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss
modules=$modules,java.security.sasl,java.sql,java.xml,jdk.charsets,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.localedata
modules=$modules,jdk.management,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs

dist() {
  local kind version revision arch name out tree epoch level=-6 also=() base=''
  while [ $# -gt 0 ]; do
    case $1 in
      --deb) have dpkg-deb || die "$(text not-found "$(how_to_install dpkg dpkg dpkg)")"
        also+=(debian_package) ;;
      --oci) also+=(container_image) ;;
      --base) base=${2:-}
        [ -r "$base" ] || die "$(text needs-a-value --base)" 2
        shift ;;
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
  version=$(version_number) revision=$(commit)
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
  for kind in ${also[@]+"${also[@]}"}; do "$kind"; done
  release_notes
  (cd "$out" && sha256sum "$name.tar.gz" 9>&-) >"$out/$name.tar.gz.sha256"
  give "$out/lock" 9
  text dist-size "$(($(du -sk "$tree" | cut -f 1) / 1024))" "$(($(wc -c <"$out/$name.tar.gz") / 1048576))" >&2
  say "$out/$name.tar.gz"
}

release_notes() { # what the changelog says of this version, or of what is not released yet; says its path
  local file=$out/hiroba-$version.md section
  section=$(grep -qE "^## ${version//./\\.}( |\$)" "$root/CHANGELOG.md" && say "$version" || say Unreleased)
  { say "# Hiroba $version"; awk -v section="$section" '/^## / { on = $2 == section; next } on' "$root/CHANGELOG.md"; } >"$file"
  say "$file"
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
  printf '%s="%s"\n' VERSION "$version" COMMIT "$revision" POSTGRESQL "$(postgresql_version)" >"$tree/release"
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

pack_postgresql() { # with its client programs and what both run on: neither what programs are compiled against nor embedded SQL
  local from program
  from=$(main_class postgresql 9>&-) || die "$(text dist-failed PostgreSQL)"
  cp -R "$from" "$tree/pgsql"
  from=$(main_class postgresql-client 9>&-) || die "$(text dist-failed PostgreSQL)"
  cp -R "$from" "$tree/pgsql/client"
  for program in "$tree"/pgsql/client/bin/*; do ln -s "../client/bin/${program##*/}" "$tree/pgsql/bin/"; done
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

debian_package() { # the same tree in /usr/lib/hiroba, with a service of systemd; says its path
  local package=$out/deb.$$ file compression=gzip
  file=$out/hiroba_${version/-SNAPSHOT/~snapshot}_$arch.deb
  text dist-deb >&2
  [ "$level" = -6 ] || compression=none
  rm -rf "$package"
  mkdir -p "$package/DEBIAN" "$package/usr/bin" "$package/usr/lib/systemd/system" "$package/usr/share/doc/hiroba" "$package/etc/hiroba"
  cp -al "$tree" "$package/usr/lib/hiroba"
  ln -s ../lib/hiroba/bin/hiroba "$package/usr/bin/hiroba"
  cp "$launcher/hiroba.service" "$package/usr/lib/systemd/system/"
  cp "$root/NOTICE" "$package/usr/share/doc/hiroba/copyright"
  cat "$root/LICENSE" >>"$package/usr/share/doc/hiroba/copyright"
  say '# Settings, secrets too: every key is in /usr/lib/hiroba/share/doc/hiroba/docs/reference/configuration.md' >"$package/etc/hiroba/hiroba.yaml"
  say /etc/hiroba/hiroba.yaml >"$package/DEBIAN/conffiles"
  cat >"$package/DEBIAN/control" <<END
Package: hiroba
Version: ${version/-SNAPSHOT/~snapshot}
Architecture: $arch
Maintainer: Hiroba <hiroba@localhost>
Installed-Size: $(du -sk "$tree" | cut -f 1)
Depends: bash, coreutils, grep, sed, mawk | gawk, util-linux, passwd, libc6 (>= $(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)), libstdc++6
Section: net
Priority: optional
Description: social network, workflows, inbox, records and search in one program
 A self-hosted square for people and AI agents, with its own PostgreSQL and Java.
END
  cat >"$package/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ]; then
  getent passwd hiroba >/dev/null || useradd --system --user-group --home-dir /var/lib/hiroba --shell /usr/sbin/nologin hiroba
  install -d -m 700 -o hiroba -g hiroba /var/backups/hiroba
  # Commands that are run as its user know the settings; what an admin has set otherwise stays.
  settings=/etc/hiroba/hiroba.yaml
  if [ "$(stat -c '%U:%G %a' "$settings" 2>/dev/null)" = 'root:root 600' ]; then
    chgrp hiroba "$settings"
    chmod 640 "$settings"
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -n "$2" ]; then systemctl try-restart hiroba.service; fi
  fi
fi
END
  cat >"$package/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now hiroba.service; fi
END
  cat >"$package/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
case $1 in
  remove) if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi ;;
  purge)
    for folder in /var/lib/hiroba /var/backups/hiroba; do
      if [ -d "$folder" ]; then echo "hiroba: $folder is kept. Delete it if it is not needed any more."; fi
    done ;;
esac
END
  chmod -R u+rwX,go+rX,go-w "$package/DEBIAN" "$package/usr/bin" "$package/usr/lib/systemd" "$package/usr/share" "$package/etc"
  chmod 755 "$package/DEBIAN/postinst" "$package/DEBIAN/prerm" "$package/DEBIAN/postrm"
  chmod 600 "$package/etc/hiroba/hiroba.yaml"
  SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group "-Z$compression" -z6 --build "$package" "$file" >"$out/deb.log" 2>&1 9>&- ||
    die "$(text dist-failed "$out/deb.log")"
  rm -rf "$package"
  say "$file"
}

debian_root() { # archive: what the launcher and PostgreSQL run on, of the packages that this machine's apt knows, for root alone
  local work=$out/debian.$$ deb
  have apt-get || die "$(text dist-base)"
  mkdir -p "$work/debs/partial" "$work/cache" "$work/root"
  : >"$work/status"
  apt-get -q -y -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" -o Dir::Cache::archives="$work/debs/" -o Debug::NoLocking=1 \
    -o APT::Sandbox::User= --no-install-recommends --download-only install base-files bash coreutils dash grep sed mawk util-linux libc-bin libstdc++6 tzdata \
    >"$out/debian.log" 2>&1 9>&- || die "$(text dist-failed "$out/debian.log")"
  for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$work/root" 9>&-; done
  [ -e "$work/root/usr/bin/awk" ] || ln -s mawk "$work/root/usr/bin/awk"
  rm -rf "$work/root/usr/share/doc" "$work/root/usr/share/man" "$work/root/usr/share/locale" "$work/root/usr/share/info"
  printf '%s\n' root:x:0:0:root:/root:/bin/bash hiroba:x:999:999::/var/lib/hiroba:/bin/bash nobody:x:65534:65534::/:/bin/false >"$work/root/etc/passwd"
  printf '%s\n' root:x:0: hiroba:x:999: nogroup:x:65534: >"$work/root/etc/group"
  find "$work/root" -mindepth 1 -maxdepth 1 -printf '%f\n' | LC_ALL=C sort | packed_from "$work/root" 0 >"$1"
  rm -rf "$work"
}

packed_from() { # folder, owner: a tar of the names it reads, the same each time
  tar -C "$1" --sort=name --mtime="@$epoch" --owner="$2" --group="$2" --numeric-owner --format=gnu -cf - -T - 9>&-
}

blob() { # file: moves it to where its digest says, and says the digest
  local digest; digest=$(sha256sum "$1" | cut -d ' ' -f 1)
  mv -f "$1" "$image/blobs/sha256/$digest"
  say "$digest"
}

described() { # media type, digest
  printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%d}' "$1" "$2" "$(wc -c <"$image/blobs/sha256/$2")"
}

container_image() { # an OCI layout, which is a container's image as files; the archive itself is a layer of it; says its path
  local image=$out/oci.$$ file=$out/$name-oci.tar layer layers=() ids=() config manifest
  text dist-oci >&2
  rm -rf "$image"
  mkdir -p "$image/blobs/sha256" "$image/home/var/lib/hiroba" "$image/home/var/backups/hiroba"
  if [ -n "$base" ]; then cp "$base" "$image/1.tar"; else debian_root "$image/1.tar"; fi
  gzip -dc "$out/$name.tar.gz" >"$image/2.tar" 9>&-
  chmod 700 "$image/home/var/lib/hiroba" "$image/home/var/backups/hiroba"
  printf '%s\n' var/backups/hiroba var/lib/hiroba | packed_from "$image/home" 999 >"$image/3.tar"
  rm -rf "$image/home"
  for layer in 1 2 3; do
    ids+=("sha256:$(sha256sum "$image/$layer.tar" | cut -d ' ' -f 1)")
    if [ $layer = 2 ]; then cp "$out/$name.tar.gz" "$image/2.tar.gz"; else gzip -n "$level" -c "$image/$layer.tar" >"$image/$layer.tar.gz" 9>&-; fi
    rm -f "$image/$layer.tar"
    layers+=("$(blob "$image/$layer.tar.gz")")
  done
  cat >"$image/config" <<END
{"created":"$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)","architecture":"$arch","os":"linux",
"config":{"User":"999:999","WorkingDir":"/var/lib/hiroba","ExposedPorts":{"8080/tcp":{},"9090/tcp":{}},"Volumes":{"/var/lib/hiroba":{}},
"Env":["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin","HOME=/var/lib/hiroba","HIROBA_DATA=/var/lib/hiroba","LANG=C.UTF-8"],
"Entrypoint":["/$name/bin/hiroba","up","--foreground"],"Cmd":["--http.host=0.0.0.0","--grpc.host=0.0.0.0"],
"Labels":{"org.opencontainers.image.title":"Hiroba","org.opencontainers.image.version":"$version","org.opencontainers.image.revision":"$revision"}},
"rootfs":{"type":"layers","diff_ids":["${ids[0]}","${ids[1]}","${ids[2]}"]}}
END
  config=$(blob "$image/config")
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s,"layers":[%s,%s,%s]}' \
    "$(described config.v1+json "$config")" "$(described layer.v1.tar+gzip "${layers[0]}")" \
    "$(described layer.v1.tar+gzip "${layers[1]}")" "$(described layer.v1.tar+gzip "${layers[2]}")" >"$image/manifest"
  manifest=$(blob "$image/manifest")
  printf '{"imageLayoutVersion":"1.0.0"}' >"$image/oci-layout"
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s,"annotations":{"%s":"hiroba:latest","%s":"latest"}}]}' \
    "$(described manifest.v1+json "$manifest" | sed 's/}$//')" io.containerd.image.name org.opencontainers.image.ref.name >"$image/index.json"
  # For a docker load that is older than the format.
  printf '[{"Config":"blobs/sha256/%s","RepoTags":["hiroba:latest","hiroba:%s"],"Layers":["blobs/sha256/%s","blobs/sha256/%s","blobs/sha256/%s"]}]' \
    "$config" "$version" "${layers[@]}" >"$image/manifest.json"
  printf '%s\n' oci-layout index.json manifest.json blobs | packed_from "$image" 0 >"$file"
  rm -rf "$image"
  say "$file"
}
