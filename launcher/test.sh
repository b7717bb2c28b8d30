# shellcheck shell=bash disable=SC2154 # root, app, jdk and no_install come from ../hiroba
# Runs every check and test and closes with the total of all modules.

browser_package() { # the one without windows, where Debian has it: it needs little more than half the processor time
  if apt-cache show chromium-headless-shell >/dev/null 2>&1; then echo chromium-headless-shell; else echo chromium; fi
}

install_for_tests() { # what tests use beside the JDK, from Debian's packages, if we may
  local missing=() sudo=()
  have prometheus || missing+=(prometheus)
  have pgbouncer || [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
  browser >/dev/null || missing+=("$(browser_package)")
  have redis-server || missing+=(redis-server)
  have cc || missing+=(gcc libc6-dev)
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then sudo=(sudo -n); fi
  if [ -n "$no_install" ] || ! have apt-get || ! ${sudo[@]+"${sudo[@]}"} true 2>/dev/null; then
    complain "$(text missing-for-tests "${missing[*]}")"
    return 0
  fi
  text installing "${missing[*]}"
  # Programs, and no services of this machine.
  set -- env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
    -o 'Dpkg::Options::=--path-exclude=/etc/init.d/*' -o 'Dpkg::Options::=--path-exclude=*/systemd/system/*'
  { ${sudo[@]+"${sudo[@]}"} "$@" install --no-install-recommends "${missing[@]}" ||
    { ${sudo[@]+"${sudo[@]}"} "$@" update && ${sudo[@]+"${sudo[@]}"} "$@" install --no-install-recommends "${missing[@]}"; }
  } </dev/null >"$root/target/install.log" 2>&1 || complain "$(text not-installed "${missing[*]}")"
}

total() { # of all modules' reports, with Maven's exit code; the last line is the one to read
  find "$root"/*/target/surefire-reports -name 'TEST-*.xml' -exec cat {} + 2>/dev/null | awk -v code="$1" \
    -v outside="$(text failed-outside)" -v none="$(text no-test-ran)" '
    function of(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
    /<testsuite / { run += of("tests"); failures += of("failures"); errors += of("errors"); skipped += of("skipped") }
    END {
      failed = failures + errors
      passed = run - failed - skipped
      printf "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d\n", run, failures, errors, skipped
      # Whoever reads only the last line must not take a build that broke, or that ran nothing, for a good one.
      if (code != 0 && failed == 0) { print outside; failed = 1 }
      else if (run == 0) { print none; failed = 1 }
      printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
      exit failed > 0
    }'
}

failed() { # the classes of which some test failed, as Maven's -Dtest takes them
  { find "$root"/*/target/surefire-reports -name 'TEST-*.xml' -exec \
    grep -lE '<testsuite .* (errors|failures)="[1-9]' {} + || :; } 2>/dev/null |
    sed 's/.*TEST-//; s/\.xml$//' | tr '\n' , | sed 's/,$//'
}

verify() { # Maven's options; a test that fails keeps no other module from being tested
  "${maven[@]}" -fae -T 2 verify -Dmaven.test.failure.ignore=true "$@" </dev/null 9>&-
}

check() { # Error Prone, NullAway and the formatting, in a folder of their own, while the tests run and with less urgency
  exec nice "${maven[@]}" -Pchecks -Dmaven.test.skip=true compile </dev/null >"$root/target/checks.log" 2>&1 9>&-
}

checked() { # waits for the checks of the process $1, and shows what they found
  text checks-wait
  local code=0
  wait "$1" || code=$?
  trap - EXIT
  if [ "$code" -eq 0 ]; then text checks-passed; return 0; fi
  grep -E '^\[(ERROR|WARNING)\]' "$root/target/checks.log" | head -n 60 || tail -n 20 "$root/target/checks.log"
  complain "$(text checks-failed)"
  return 1
}

features() { # the packages that a part of the tests can be asked for by
  find "$root/server/src/main/java/io/hiroba" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | sed 's|.*/||' | sort
}

coverage() { # JaCoCo's counts of the server's classes, summed up by feature
  local counts=$root/target/coverage/hiroba-server/jacoco.csv
  [ -e "$counts" ] || { complain "$(text no-coverage)"; return 0; }
  awk -F, -v head="$(text coverage-head)" '
    function add(name) { branches[name] += $6 + $7; taken[name] += $7; lines[name] += $8 + $9; reached[name] += $9 }
    function percent(part, all) { return all == 0 ? "      -" : sprintf("%6.1f%%", 100 * part / all) }
    function row(name) {
      return sprintf("%-12s %s   %s", name, percent(reached[name], lines[name]), percent(taken[name], branches[name]))
    }
    NR > 1 {
      split($2, names, ".")
      name = $2 == "io.hiroba" ? "(root)" : names[3]
      add(name)
      if (name != "templates") add("total")
    }
    END {
      print head
      for (name in lines) if (name != "total") print row(name) | "sort"
      close("sort")
      print row("total")
    }' "$counts"
  text coverage-lines
}

mutation() { # PIT: does a test notice when a line of these packages is changed?
  find_jdk
  find_maven
  take_build
  "${maven[@]}" -Pmutation -pl server -am process-test-classes </dev/null 9>&- ||
    die "$(text mutation-failed)"
  text mutation-changes
}

tests() {
  local code=0 stamp=$root/target/stamp.$$ module again options=() part=no covered=no checks='' modules='' packages=''
  while [ $# -gt 0 ]; do
    case $1 in
      --fast) modules=server,cli; options+=(-Pfast) ;;
      --coverage) covered=yes; options+=(-Pcoverage) ;;
      --mutation) mutation; return ;;
      -*) break ;;
      *)
        [ -d "$root/server/src/main/java/io/hiroba/$1" ] ||
          die "$(text no-feature "$1" "$(features | tr '\n' ' ')")" 2
        packages=$packages,io/hiroba/$1/**/*Test ;;
    esac
    shift
  done
  if [ -n "$packages" ]; then
    modules=server
    options+=("-Dtest=ArchitectureTest$packages" -Dsurefire.failIfNoSpecifiedTests=false)
  fi
  if [ -n "$modules" ]; then options+=(-pl "$modules" -am); fi
  set -- ${options[@]+"${options[@]}"} "$@"
  if [ $# -ne 0 ]; then part=yes; fi # which goes without the checks
  find_jdk
  find_maven
  take_build
  install_for_tests
  find "$root"/*/target/surefire-reports -name 'TEST-*.xml' -delete 2>/dev/null || :
  rm -rf "$root"/*/target/lib "$root/target/coverage"
  : >"$stamp"
  if [ $part = no ]; then
    check & checks=$!
    trap "kill $checks 2>/dev/null || :" EXIT # also when the run is given up
  fi
  verify "$@" || code=$?
  again=$(failed)
  # Three classes at most have a second go, alone, since the machine may have been busy; they are named at the end.
  if [ "$code" -ne 0 ] || [ $part = yes ] || [[ $again = *,*,*,* ]]; then again=; fi
  if [ -n "$again" ]; then
    text run-again "$again"
    verify "-Dtest=$again" -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.main.skip=true || code=$?
  fi
  [ -z "$(failed)" ] || code=1
  [ -z "$checks" ] || checked "$checks" || code=1
  if [ "$code" -eq 0 ] && [ $part = no ]; then for module in server cli bench; do assemble "$module" "$stamp"; done; fi
  rm -f "$stamp"
  [ $covered = no ] || coverage
  [ "$code" -eq 0 ] || complain "$(text tests-build-failed)"
  [ -z "$again" ] || complain "$(text run-twice "$again")"
  total "$code" || code=1
  exit "$code"
}
