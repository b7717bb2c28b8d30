# shellcheck shell=bash disable=SC2034 # probe, foreground, demo and rest are read by the other parts
# The few settings that the launcher must know itself: the data folder and the port.

data='' port='' probe=0 foreground=no demo=no rest=() file=''

options() { # --data, --port and --foreground; everything else goes into rest
  local value_may_follow=no in_file
  data='' port='' foreground=no demo=no rest=() file=${HIROBA_CONFIG:-}
  while [ $# -gt 0 ]; do
    case $1 in
      --data | --port | --http.port | --config) [ -n "${2:-}" ] || die "$(text needs-a-value "$1")" 2 ;;
      --data= | --port= | --http.port= | --config=) die "$(text needs-a-value "${1%=}")" 2 ;;
    esac
    case $1 in
      --data) data=$2; shift ;;
      --data=*) data=${1#*=} ;;
      --port | --http.port) port=$2; shift ;;
      --port=* | --http.port=*) port=${1#*=} ;;
      --config) file=$2; rest+=(--config "$2"); shift ;;
      --config=*) file=${1#*=}; rest+=(--config "$file") ;;
      --foreground) foreground=yes ;;
      --demo | --demo=true) demo=yes; rest+=("$1") ;;
      --*) rest+=("$1") ;;
      *) [ "$value_may_follow" = yes ] || die "$(text unexpected-argument "$1")" 2
        rest+=("$1") ;;
    esac
    case $1 in --*=* | [!-]*) value_may_follow=no ;; *) value_may_follow=yes ;; esac
    shift
  done
  case $port in *[!0-9]* | ??????* | 6553[6-9] | 655[4-9]? | 65[6-9]?? | 6[6-9]??? | [7-9]????) die "$(text port-range "$port")" 2 ;; esac
  # In the order in which the server takes its settings: the flag, the variable, the file, the default.
  data=${data:-${HIROBA_DATA:-}}
  if [ -z "$file" ]; then
    file=hiroba.yaml
    [ -e "$file" ] || settings_of_package
  fi
  if [ -z "$data" ]; then data_in_file; data=$in_file; fi
  if [ -z "$data" ]; then
    case ${XDG_DATA_HOME:-} in /*) data=$XDG_DATA_HOME/hiroba ;; *) data=$HOME/.local/share/hiroba ;; esac
  fi
  case $data in /*) ;; *) data=$PWD/$data ;; esac
  # The port to look at before the start; unknown where a file may set it.
  probe=${port:-${HIROBA_HTTP_PORT:-8080}}
  case $probe in *[!0-9]* | ??????*) probe=0 ;; esac
  if [ -z "$port" ] && [ -e "$file" ]; then probe=0; fi
}

settings_of_package() { # those of the Debian package's service, for commands about it where nothing else was named
  local prefix=${root%/usr/lib/hiroba} own
  own=$prefix/etc/hiroba/hiroba.yaml
  # A server that is started by hand is not the service.
  if [ "$packed" = no ] || [ "$prefix" = "$root" ] || [ "$command" = up ] || [ ! -e "$own" ]; then return 0; fi
  if [ -r "$own" ]; then
    file=$own data=${data:-$prefix/var/lib/hiroba}
    export HIROBA_CONFIG=$own
  elif [ -z "$data" ] && [ ! -e "${HOME}/.local/share/hiroba" ]; then die "$(text package-settings "$own")"; fi
}

only() { [ "${#rest[@]}" -eq 0 ] || die "$(text unknown-option "$1" "${rest[0]}")" 2; }

# Reads `data` of the configuration file into in_file. A JVM that reads the file properly would cost each status and stop
# a second; so the ways people write one line of YAML are understood, and all others refused: a guess would start an
# empty database in the wrong place.
data_in_file() {
  local line rest_of_line first=yes ended=no
  in_file=''
  [ -r "$file" ] && [ ! -d "$file" ] || return 0
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'} line=${line#$'\xef\xbb\xbf'}
    case ${line#"${line%%[![:space:]]*}"} in '' | '#'*) continue ;; esac # empty, or a comment
    if [ "$ended" = yes ]; then
      case $line in [[:space:]]*) strange ;; *) return 0 ;; esac # the value goes on in the next line
    fi
    case $line in
      [[:space:]]*) [ "$first" = no ] || strange ;; # every key is indented
      data: | data:[[:space:]]*) ended=yes; plain_value "${line#data:}" ;;
      data[[:space:]]*:* | [\"\']data[\"\']* | [\?\{]*) strange ;;
    esac
    case $line in ---* | %*) ;; *) first=no ;; esac
  done <"$file"
}

plain_value() { # a path, quoted or not, with or without a comment behind it
  local text=$1 after=''
  text=${text#"${text%%[![:space:]]*}"}
  case $text in
    \"*\"*) text=${text#\"}; after=${text#*\"} text=${text%%\"*}; case $text in *\\*) strange ;; esac ;;
    \'*\'*) text=${text#\'}; after=${text#*\'} text=${text%%\'*} ;;
    '#'*) text='' ;;
    *) text=${text%%[[:space:]]#*}
      text=${text%"${text##*[![:space:]]}"}
      case $text in [\"\'\[\{\&\*\!\|\>%@\`\~,\?]* | *': '* | *:) strange ;; esac
      case $text in null | Null | NULL) text='' ;; esac ;;
  esac
  case ${after#"${after%%[![:space:]]*}"} in '') ;; '#'*) case $after in '#'*) strange ;; esac ;; *) strange ;; esac
  in_file=$text
}

strange() { die "$(text unclear-data "$file")" 2; }

brings_database() { # is there, or may there be, a database of the user's own?
  [ -z "${HIROBA_DATABASE_URL:-}" ] || return 0
  case " ${rest[*]-} " in *" --database."*) return 0 ;; esac
  grep -q '^[^#]*database' "$file" 2>/dev/null
}
