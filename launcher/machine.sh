# shellcheck shell=bash disable=SC2154 # root, app, jdk and jvms come from ../hiroba
# What the machine has: a JDK, Maven, and how to get them.

how_to_install() { # a package's name on Debian, Fedora and macOS
  if have apt-get; then say "apt-get install $1"
  elif have dnf; then say "dnf install $2"
  elif have brew; then say "brew install $3"
  else text install-yourself "$1"; fi
}

jdk_advice() {
  text jdk-advice "$(how_to_install openjdk-25-jdk java-25-openjdk-devel openjdk@25)"
}

release_of() { # the value of JAVA_VERSION or JAVA_RUNTIME_VERSION in a JDK's release file
  local line
  [ -r "$1/release" ] || return 0
  while IFS= read -r line; do
    case $line in "$2="*) line=${line#*\"}; say "${line%%\"*}"; return ;; esac
  done <"$1/release"
}

is_jdk25() {
  [ -n "$1" ] && [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  local version; version=$(release_of "$1" JAVA_VERSION); version=${version%%[!0-9]*}
  [ "${version:-0}" -ge 25 ]
}

java_on_path() {
  local java; java=$(command -v java) || return 0
  java=$(readlink -f "$java" 2>/dev/null || say "$java")
  say "${java%/bin/java}"
}

search_jdk() {
  local home places
  if [ -n "${HIROBA_JAVA_HOME:-}" ]; then
    ! is_jdk25 "$HIROBA_JAVA_HOME" || jdk=$HIROBA_JAVA_HOME
    return 0
  fi
  # HIROBA_JVMS narrows the search to one folder of JDKs.
  if [ -n "$jvms" ]; then places=("$jvms"/*); else
    places=(/usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* ~/.sdkman/candidates/java/* ~/.jdks/*
      ~/.local/share/mise/installs/java/* ~/.asdf/installs/java/* ~/Library/Java/JavaVirtualMachines/*/Contents/Home
      /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
      /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home)
    if [ -x /usr/libexec/java_home ]; then places+=("$(/usr/libexec/java_home -v 25+ 2>/dev/null || :)"); fi
  fi
  for home in "${JAVA_HOME:-}" "$(java_on_path)" "${places[@]}"; do
    if is_jdk25 "$home"; then jdk=$home; return; fi
  done
}

find_jdk() {
  if [ "$packed" = yes ]; then jdk=$root/jre; fi
  [ -n "$jdk" ] || search_jdk
  if [ -z "$jdk" ] && [ -n "${HIROBA_JAVA_HOME:-}" ]; then
    die "$(text jdk-unusable "$HIROBA_JAVA_HOME")"
  fi
  [ -n "$jdk" ] || die "$(text jdk-missing "$(jdk_advice)")"
}

find_maven() { # with the JDK that find_jdk found, and as what lives for a minute: compiling better than that costs more
  have mvn || die "$(text maven-missing "$(how_to_install maven maven maven)")"
  maven=(env "JAVA_HOME=$jdk" "MAVEN_OPTS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-}" mvn -B -ntp -f "$root/pom.xml")
}
