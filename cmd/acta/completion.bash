_acta() {
    local current=${COMP_WORDS[COMP_CWORD]} call=("${COMP_WORDS[@]:0:COMP_CWORD}")
    if [[ $current == -* ]]; then call+=("$current"); fi
    COMPREPLY=($(compgen -W "$("${call[@]}" --generate-bash-completion 2>/dev/null)" -- "$current"))
}
complete -o default -F _acta acta
