#!/usr/bin/env bash
# Runs a command in a root folder with what a bare Debian has: bash, the basic tools and the C and C++ libraries, and no Java,
# Maven, compiler or names of other machines. Made at the first use; without privileges, where user namespaces are allowed.
# BARE_TOOLS are more tools to have in it, BARE_USER the number of the user to run it as: both need a real root.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
root=$1; shift

place() { # a program and the libraries it is linked with
  local library
  cp -L "$1" "$root/bin/"
  for library in $(ldd "$1" | grep -oE '/[^ ]+'); do
    mkdir -p "$root${library%/*}"
    [ -e "$root$library" ] || cp -L "$library" "$root$library"
  done
}

if [ ! -d "$root/bin" ]; then
  mkdir -p "$root"/{bin,usr,dev,proc,tmp,root,etc,old}
  ln -s ../bin "$root/usr/bin"
  printf '%s\n' root:x:0:0:root:/root:/bin/bash hiroba:x:999:999::/var/lib/hiroba:/bin/bash \
    nobody:x:65534:65534:nobody:/:/bin/false >"$root/etc/passwd"
  chmod 1777 "$root/tmp"
  for tool in bash sh env ls cat cp mv rm ln mkdir chmod chown touch dirname readlink head tail wc tr cut id sleep df nohup nice \
    sort uname test true grep sed awk find tar gzip setsid unshare setpriv flock umount stty ${BARE_TOOLS:-}; do
    place "$(type -P "$tool")"
  done
  # The rest of libc6 and its locale, and what apt is linked with: no Debian is without them.
  for library in libdl.so.2 libpthread.so.0 librt.so.1 libm.so.6 libresolv.so.2 libnss_files.so.2 libstdc++.so.6 libgcc_s.so.1; do
    # All of it is read: who goes away early ends the other with an error, now and then.
    file=$(ldconfig -p | awk -v name=$library '$1 == name && !found { print $NF; found = 1 }')
    mkdir -p "$root${file%/*}"
    cp -L "$file" "$root$file"
  done
  mkdir -p "$root/usr/lib/locale"
  cp -r /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"
fi
if ! unshare --map-root-user --mount true 2>/dev/null; then # nothing but the path is bare then
  exec env -i PATH="$root/bin" HOME="$root/root" LANG=C.UTF-8 "${@/#\/opt\//$root/opt/}"
fi
isolated=(unshare --map-root-user --mount) user=()
if [ -n "${BARE_USER:-}" ]; then
  isolated=(unshare --mount --propagation private)
  user=(setpriv "--reuid=$BARE_USER" "--regid=$BARE_USER" --clear-groups)
fi
# shellcheck disable=SC2016 # expanded inside
exec "${isolated[@]}" bash -euc '
  root=$1; shift
  mount --bind "$root" "$root"
  mount --rbind /dev "$root/dev"
  mount --rbind /proc "$root/proc"
  cd "$root"
  pivot_root . old
  exec /bin/env -i PATH=/bin HOME=/root LANG=C.UTF-8 "$@"' bare "$root" /bin/bash -c 'umount -l /old; exec "$@"' bare ${user[@]+"${user[@]}"} "$@"
