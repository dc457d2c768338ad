#compdef playproof playproof-check playproof-cluster
# Completion of playproof, playproof-check and playproof-cluster for zsh. Tables and functions of the commands are made
# from what the programs say of themselves.

# NAME:HELP of what there is, one a line: of a kind (game, algorithm, backend, the name of one game), of
# "KIND NAME" the keys, of "KIND NAME KEY" the words.
typeset -gA _playproof_table
@TABLES@

# _playproof_add SUFFIX NAME:HELP...: the names, shown with their help.
_playproof_add() {
  local suffix=$1
  shift
  local -a names=("${@%%:*}") shown=("${@/:/  -- }")
  (( $# )) && compadd -S "$suffix" -q -l -d shown -a names
}

# _playproof_spec KIND: NAME, NAME:KEY= or NAME:KEY=WORD.
_playproof_spec() {
  local kind=$1 name=${PREFIX%%:*} before=${PREFIX%${PREFIX##*[:,=]}} key
  local -a found
  if [[ $PREFIX != *:* ]]; then
    found=(${(f)_playproof_table[$kind]})
    _playproof_add '' $found
    return
  fi
  IPREFIX+=$before
  PREFIX=${PREFIX#"$before"}
  if [[ $before == *= ]]; then
    key=${${before%=}##*[:,]}
    found=(${(f)_playproof_table[$kind $name $key]})
    _playproof_add '' $found
  else
    found=(${(f)_playproof_table[$kind $name]})
    for key in ${(s:,:)before#*:}; do
      found=(${found:#${key%%=*}:*})
    done
    _playproof_add = $found
  fi
}

@COMMANDS@

_playproof() {
  _playproof_of-$service "$@"
}
_playproof "$@"
