# shellcheck shell=bash
# The words of the launcher in English; each language has the same keys.

usage() {
  cat <<'END'
Usage: ./hiroba <command>

  up [--port 8080] [--data DIR] [--demo] [--foreground] [--key=value …]
                      build if need be, start in the background, wait until ready;
                      --demo fills a little community to look around in, once
  stop [--data DIR]   stop it; requests under way are finished first
  status [--data DIR] is it running, and where (exit code 3: it is not)
  doctor [--data DIR] what is there, what is missing and how to mend it
  config [--key=value …]  the effective configuration, secrets masked
  models install NAME --from FOLDER|FILE|ZIP|ADDRESS [--sha256 …] …
                      install a model for search: its .onnx file and its tokenizer.json
  models list, models remove NAME
  backup --to FOLDER|s3://BUCKET/PATH [--data DIR] [--limit 20MB/s] [--keep 30d] [--key-file FILE]
                      a full backup, while it runs
  backup list [--from FOLDER], backup verify [--from FOLDER] [--instance NAME] [--key-file FILE]
                      those there are; restore the newest on trial
  restore --from FOLDER|s3://BUCKET/PATH [--time 2026-12-01T10:00:00Z] [--instance NAME] [--key-file FILE] --data NEW
                      restore into a new data folder
  backup --feature saga --to FOLDER [--keep 30d], restore --feature saga --from FOLDER
                      one feature alone, and back into the same database
  upgrade-database [--programs FOLDER] [--undo | --finish]
                      take the database to this PostgreSQL, back, or remove the former one
  psql [--data DIR] [--write] [option of psql …]
                      a shell in the running database, to read; --write changes rows too
  pg_dump [--data DIR] [option of pg_dump …]
                      a dump of the running database
  test                run every check and all tests
  test --fast         without the checks, and without the tests that open a browser, kill a server or take long
  test <feature> …    only the tests of these features, such as records, and of the architecture
  test --coverage     all tests, and what of each feature they reach
  test --mutation     whether the tests of two packages notice changed code
  bench [name]        measure against the limit and against peers
  bench <name> --against <checkout>
                      measure this build and another checkout's in turns, over HTTP
  chaos activity [--minutes 10] [--seed n]
                      kill servers and connections at random; look whether a card got lost or doubled
  chaos saga [--minutes 10] [--seed n]
                      kill nodes at random and where it hurts; look whether every saga is finished or undone
  chaos knowledge [--minutes 10] [--seed n]
                      kill servers while the embedding service fails; look whether a passage or message got lost or doubled
  chaos agents [--minutes 10] [--seed n]
                      kill servers while the chat model fails; look whether each question has one answer or a reason
  chaos everything [--minutes 10] [--seed n]
                      kill servers and the database; look whether all that was acknowledged is there once
  dist                pack an archive that needs no Java, Maven, compiler or network; its path is the last line
  dist --deb, --oci   a Debian package with a service, and a container image (on --base ROOT.tar, or on Debian), along with it
  version, help

Everything else goes to the client: ./hiroba login, ./hiroba post "…", ./hiroba feed, … (./hiroba --help lists it all).

Variables: HIROBA_JAVA_HOME (which JDK), HIROBA_JAVA_OPTS (more options for the server's JVM),
HIROBA_ADMIN_EMAIL and HIROBA_ADMIN_PASSWORD (the first admin), HIROBA_DATABASE_URL (a PostgreSQL of your own),
HIROBA_DATA (the data folder). Every setting has such a variable: see ./hiroba config.
END
}

text() { # key, what the text is about
  local key=$1; shift
  case $key in
    waiting-for-build) say "waiting for another build" ;;
    waiting-for-start) say "waiting for another start on $1" ;;
    building) say "· building $1" ;;
    build-failed) say "The build failed. All of its output: $1" ;;
    not-writable) say "$1 is not writable for you, so nothing can be built in it." ;;

    install-yourself) say "install $1 with your system's package manager" ;;
    jdk-advice) say "Install one ($1, or any vendor's JDK 25) and, if it stands in an unusual place, set HIROBA_JAVA_HOME to its folder." ;;
    jdk-unusable) say "HIROBA_JAVA_HOME is $1, which is not a JDK 25 or newer. Correct or unset it." ;;
    jdk-missing) say "No JDK 25 or newer was found. $1" ;;
    maven-missing) say "Maven, which builds Hiroba, was not found. Install it: $1" ;;

    if-need-be) say "build if need be, " ;;
    no-command) say "There is no command $1. All of them: ${me} help" ;;
    no-command-but) say "There is no command $1: did you mean $2? All of them: ${me} help" ;;
    needs-a-value) say "$1 needs a value." ;;
    unexpected-argument) say "Unexpected argument $1: settings are written --key=value." ;;
    port-range) say "--port takes a number up to 65535, not $1." ;;
    unknown-option) say "$1 does not know $2." ;;
    unclear-data) say "Where $1 sets data is not plain enough to be sure of it: write \`data: /a/folder\` at the start of a line, or use --data." ;;

    running-already) say "Hiroba is running already: $1 (pid $2, data in $3)" ;;
    demo-there) say "The demo community is there already: nothing was filled." ;;
    demo-at-start) say "The demo community is filled at a start: ${me} stop, then ${me} up --demo" ;;
    demo-bar) say "· filling the demo community" ;;
    demo-percent) say "· filling the demo community: $1 %" ;;
    port-taken) say "Port $1 is taken by another program: choose another one with --port." ;;
    data-not-made) say "The data folder $1 cannot be made: choose another one with --data." ;;
    not-readable) say "The data folder $1 is not readable for you: run this as the user whose it is." ;;
    package-settings) say "The settings of the package are in $1, which you cannot read: run this as its user, by \`runuser -u hiroba -- hiroba …\`, or name a folder of your own with --data." ;;
    unfinished-restore) say "$1 holds an unfinished restore, on which nothing can run: run the restore command again, and start the folder that it names at its end." ;;
    own-database) say "The database is not the embedded one: use $1 with the address in database.url." ;;
    data-not-writable) say "The data folder $1 is not writable for you: choose another one with --data." ;;
    stopping) say "· stopping" ;;
    preparing) say "· preparing fast starts" ;;
    ended-early) say "Hiroba ended before it was ready (exit code $1). Its logs: $2 and $3" ;;
    not-running) say "Hiroba is not running on $1." ;;
    not-running-start) say "Hiroba is not running on $1. Start it: ${me} up" ;;
    running-ready) say "Hiroba is running: $1 (ready, pid $2, data in $3)" ;;
    running-not-ready) say "Hiroba is running: $1 (not ready yet, pid $2, data in $3)" ;;
    not-yours) say "Process $1 is not yours to stop: stop it as the user who started it." ;;
    not-stopped) say "Process $1 has not stopped in 100 s. Look into $2; kill -9 $1 ends it, and loses nothing that was acknowledged." ;;
    waiting-for-requests) say "· waiting for requests and steps under way" ;;
    stopped) say "Hiroba has stopped." ;;

    to-run) say "What Hiroba needs to run:" ;;
    to-test) say "What only ${me} test needs:" ;;
    the-server) say "The server:" ;;
    jdk-found) say "$1 in $2" ;;
    jdk-none) say "none of version 25. $1" ;;
    not-found) say "not found: $1" ;;
    disk-free) say "$1 GB free for $2" ;;
    disk-full) say "only $1 MB free for $2: make room, or choose another folder with --data" ;;
    clock-kept) say "kept right by a time server" ;;
    clock-loose) say "not kept right by a time server: timedatectl set-ntp true" ;;
    clock-unknown) say "cannot be asked here: see that a time server keeps it right" ;;
    not-built) say "not built yet, or older than its source: ${me} up builds it" ;;
    built) say "built" ;;
    gcc-found) say "builds pgvector where the system has none" ;;
    gcc-none) say "not found; only needed where the system has no pgvector: $1" ;;
    apt-found) say "fetches pgvector where the system has none" ;;
    apt-none) say "not found: pgvector must come from the system, or from the database that HIROBA_DATABASE_URL names" ;;
    runs-at) say "$1 (pid $2)" ;;
    runs-not) say "no: ${me} up" ;;
    database-later) say "can be examined once the server is built" ;;

    missing-for-tests) say "missing for some tests, and not mine to install: $1" ;;
    installing) say "· installing what tests need: $1" ;;
    not-installed) say "could not be installed: $1 (see target/install.log)" ;;
    failed-outside) say "The build failed outside of the tests, which counts as one failure." ;;
    no-test-ran) say "No test has run, which counts as one failure." ;;
    checks-wait) say "· waiting for Error Prone, NullAway and the formatting" ;;
    checks-passed) say "· passed: Error Prone, NullAway and the formatting" ;;
    checks-failed) say "the checks failed. All of their output: target/checks.log" ;;
    no-coverage) say "no coverage was counted" ;;
    coverage-head) say "Coverage       lines  branches, in total without the templates" ;;
    coverage-lines) say "Every line: target/coverage/hiroba-server/index.html" ;;
    mutation-failed) say "The mutation run failed: the reason is above." ;;
    mutation-changes) say "Every change: target/mutation/index.html" ;;
    no-feature) say "There is no feature '$1' to test. There are: $2" ;;
    run-again) say "· failed, and run once more: $1" ;;
    tests-build-failed) say "the build failed: the reason is above" ;;
    run-twice) say "run twice, since some of their tests failed the first time: $1" ;;

    needs-checkout) say "$1 needs a checkout of the source, which this is not." ;;
    dist-linux) say "dist makes archives for Linux on amd64 and arm64, and only on such a machine." ;;
    dist-java) say "· linking the Java run time" ;;
    dist-archive) say "· packing the archive" ;;
    dist-deb) say "· packing the Debian package" ;;
    dist-oci) say "· packing the container image" ;;
    dist-base) say "The base of the image comes from Debian by apt-get, which is not here: name a tar of your own with --base." ;;
    dist-failed) say "The archive could not be made. See $1" ;;
    dist-size) say "· $1 MB unpacked, $2 MB packed" ;;
    *) say "$key" ;;
  esac
}

label() { printf '%-12s' "$1"; } # of a line of the doctor, twelve columns wide
