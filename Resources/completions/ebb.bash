# Completions of Ebb for bash, 4.2 or later: what `ebb completions bash` prints. The words come from `ebb complete`.
# Nothing of an item is ever run: what is put on the command line is quoted, and all else is only shown.

_ebb() {
  COMPREPLY=()
  local rest=${COMP_LINE:0:COMP_POINT} word trimmed i
  local -a words=()
  # Readline takes the line apart at signs such as : = @ too. Here a word ends where a space begins.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    trimmed=${rest#"${rest%%[![:space:]]*}"}
    word=${COMP_WORDS[i]}
    [[ $i == "$COMP_CWORD" ]] && word=$trimmed
    [[ $trimmed == "$word"* ]] || return 0
    if [[ $i == 0 || $trimmed != "$rest" ]]; then words+=("$word"); else words[${#words[@]}-1]+=$word; fi
    rest=${trimmed:${#word}}
  done

  # What readline puts the answer in the place of: the end of the current word, after the last of its signs, or with it
  # if that is @.
  local current=${words[${#words[@]}-1]} breaks=${COMP_WORDBREAKS//[\"\'[:space:]]/} quote= kept
  case $current in
    \"* | \'*) quote=${current:0:1} kept= ;;
    *) kept=${current%"${current##*["$breaks"]}"} kept=${kept%@} ;;
  esac
  for i in "${!words[@]}"; do words[i]=${words[i]//[\"\'\\]/}; done
  local -a values=() shown=()
  local kind line value text
  {
    IFS= read -r kind
    while IFS= read -r line; do
      value=${line%%$'\t'*}
      text=${line#*$'\t'}
      case $quote in
        \") [[ $value == *[\"\$\`\\!]* ]] && continue ;;
        \') [[ $value == *\'* ]] && continue ;;
        *) printf -v value %q "$value" ;;
      esac
      [[ $value == "$kept"* ]] || continue
      value=${value:${#kept}}
      values+=("$value")
      shown+=("$value  $text")
    done
  } < <(command ebb complete -- "${words[@]:1}" 2>/dev/null)

  case $kind in
    files) compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
  esac
  COMPREPLY=("${values[@]}")
  if [[ ${#values[@]} == 1 ]]; then
    [[ ${values[0]} == *[:=] ]] && compopt -o nospace 2>/dev/null
  elif [[ $COMP_TYPE == 63 || $COMP_TYPE == 33 || $COMP_TYPE == 64 ]]; then
    # A list that is only looked at, with the text of each item. Readline puts in no more than what all of them share.
    COMPREPLY=("${shown[@]}")
  fi
  return 0
}

complete -F _ebb ebb
