# shellcheck shell=bash disable=SC2154 # packed and me come from ../hiroba
# What there is to say: all commands, one of them, or what is meant by a word that is none.

of_launcher='up stop status doctor config models backup restore upgrade-database psql pg_dump test bench chaos dist version help'

# No client is built for a word that it does not know; LauncherTest holds them to its commands.
of_client='login logout whoami user token post feed search workflow saga schedule records schema knowledge inbox webhook agent mcp'

is_one_of() { # word, words
  case " $2 " in *" $1 "*) ;; *) return 1 ;; esac
}

overview() { # all commands that there are here: without what only a checkout can do, where there is none
  if [ "$packed" = no ]; then usage; return; fi
  usage | awk -v me="${me##*/}" -v build="$(text if-need-be)" '
    /^  [a-z]/ { hidden = /^  (test|bench|chaos|dist)/ } /^$/ { hidden = 0 }
    !hidden { gsub(/\.\/hiroba/, me); if (at = index($0, build)) $0 = substr($0, 1, at - 1) substr($0, at + length(build)); print }'
}

help() { # nothing, or a command: one of the client's has words of its own
  if [ $# -eq 0 ]; then overview; return; fi
  if is_one_of "$1" "$of_client"; then client "$@" --help; fi
  is_one_of "$1" "$of_launcher" || unknown "$1"
  case $1 in test | bench | chaos | dist) checkout_only "$1" ;; esac
  [ "$packed" = no ] || me=${me##*/}
  overview | awk -v command="$1" -v me="$me" '
    /^$/ { shown = 0 }
    /^  [a-z]/ { shown = 0; n = split($0, parts, /(, |、)/)
      for (i = 1; i <= n; i++) { split(parts[i], words, " "); if (words[1] == command) shown = 1 }
      if (shown) $0 = me substr($0, 2) }
    shown { print }'
}

asks_help() { # the words after a command
  local word
  for word; do case $word in -h | --help) return ;; --) return 1 ;; esac; done
  return 1
}

unknown() { # word
  local near
  near=$(nearest "$1")
  die "$(if [ -n "$near" ]; then text no-command-but "$1" "$near"; else text no-command "$1"; fi)" 2
}

nearest() { # the command that a word was meant for, if that is plain
  case $1 in
    down | halt | shutdown | kill) say stop; return ;;
    start | run | serve) say up; return ;;
    ps) say status; return ;;
  esac
  # shellcheck disable=SC2086 # words
  printf '%s\n' $of_launcher $of_client | awk -v word="$1" '
    function least(a, b, c) { if (b < a) a = b; return c < a ? c : a }
    function distance(a, b,   i, j, d) {
      for (i = 0; i <= length(a); i++) d[i, 0] = i
      for (j = 0; j <= length(b); j++) d[0, j] = j
      for (i = 1; i <= length(a); i++) for (j = 1; j <= length(b); j++)
        d[i, j] = least(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
      return d[length(a), length(b)]
    }
    { d = distance(word, $0); if (index($0, word) == 1 || index(word, $0) == 1) d = 1
      if (length($0) > 2 && d <= 2 && d < length(word) - 1 && (best == "" || d < least_d)) { best = $0; least_d = d } }
    END { if (best != "") print best }'
}
