# Completion of playproof, playproof-check and playproof-cluster for bash 4.4 or newer. The tables are made from what the
# programs say of themselves. Needs nothing else; the package bash-completion loads it by itself.

# What there is, each text a list of words:
#   _playproof_commands[COMMAND]            the commands below it
#   _playproof_options[COMMAND]             its options
#   _playproof_takes[COMMAND OPTION|N|*]    what follows the option, or is the N-th argument, or each:
#                                           text, file, words WORD..., game, algorithm, backend or
#                                           the name of one game; after a "?" it need not follow
#   _playproof_names[KIND]                  games, algorithms, backends; one game
#   _playproof_keys[KIND NAME]              their keys
#   _playproof_values[KIND NAME KEY]        the words that a key may be
declare -gA _playproof_commands _playproof_options _playproof_takes
declare -gA _playproof_names _playproof_keys _playproof_values
@TABLES@

# _playproof_spec KIND TEXT: adds NAME, NAME:KEY= and NAME:KEY=WORD to `found`.
_playproof_spec() {
  local kind=$1 text=$2 name=${2%%:*} rest last before word
  compopt -o nospace 2>/dev/null
  if [[ $text != *:* ]]; then
    found+=(${_playproof_names["$kind"]-})
    return
  fi
  rest=${text#*:}
  last=${rest##*,}
  before=${rest%"$last"}
  if [[ $last == *=* ]]; then
    for word in ${_playproof_values["$kind $name ${last%%=*}"]-}; do
      found+=("$name:$before${last%%=*}=$word")
    done
  else
    for word in ${_playproof_keys["$kind $name"]-}; do
      [[ ,$before == *",$word="* ]] || found+=("$name:$before$word=")
    done
  fi
}

# _playproof_value TAKES PREFIX TEXT: adds what TEXT may become to `found`, PREFIX before each.
_playproof_value() {
  local takes=${1#\?} before=${#found[@]} i
  case $takes in
    file) compopt -o default 2>/dev/null ;;
    words\ *) found+=(${takes#words }) ;;
    text | '') ;;
    *) _playproof_spec "$takes" "$3" ;;
  esac
  for ((i = before; i < ${#found[@]}; ++i)); do found[i]=$2${found[i]}; done
}

_playproof() {
  local LC_ALL=C IFS=$' \t\n'  # COMP_POINT counts bytes
  local line=${COMP_LINE:0:COMP_POINT} words=() found=() used=' ' takes='' word path i n=0
  COMPREPLY=()
  # The words as the program will see them: bash has also cut at those of ':' and '=' that
  # COMP_WORDBREAKS has. What stands without a blank between is one word.
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ i -eq 0 || $line == [[:blank:]]* ]]; then
      line=${line#"${line%%[![:blank:]]*}"}
      words+=("")
    fi
    word=${word:0:${#line}}
    line=${line:${#word}}
    words[-1]+=$word
  done

  path=${words[0]##*/}
  for ((i = 1; i < ${#words[@]} - 1; ++i)); do
    word=${words[i]}
    if [[ $word == -?* ]]; then
      used+="${word%%=*} "
      [[ $word == *=* ]] && continue
      takes=${_playproof_takes["$path $word"]-}
      [[ $takes == '?'* && ${words[i + 1]} == -* ]] && takes=
      [[ $takes ]] && ((++i))
    elif [[ " ${_playproof_commands["$path"]-} " == *" $word "* ]]; then
      path+=" $word"
    else
      ((++n))
    fi
    [[ i -lt ${#words[@]}-1 ]] && takes=
  done

  word=${words[-1]}
  if [[ $takes ]]; then
    _playproof_value "$takes" '' "$word"
  elif [[ $word == --*=* ]]; then
    _playproof_value "${_playproof_takes["$path ${word%%=*}"]-}" "${word%%=*}=" "${word#*=}"
  else
    if [[ $word != -* ]]; then
      found=(${_playproof_commands["$path"]-})
      takes=${_playproof_takes["$path $((n + 1))"]:-${_playproof_takes["$path *"]-}}
      _playproof_value "$takes" '' "$word"
    fi
    if [[ $word == -* || ! $takes && ${#found[@]} -eq 0 ]]; then
      for i in ${_playproof_options["$path"]-}; do
        [[ $used == *" $i "* ]] || found+=("$i")
      done
    fi
  fi

  # Readline replaces what stands behind the last character of COMP_WORDBREAKS.
  local breaks=${COMP_WORDBREAKS//[!:=]/} cut=
  [[ $breaks ]] && cut=${word%"${word##*["$breaks"]}"}
  for i in "${found[@]}"; do
    [[ $i == "$word"* ]] && COMPREPLY+=("${i#"$cut"}")
  done
}

complete -F _playproof playproof playproof-check playproof-cluster
