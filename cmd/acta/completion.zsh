#compdef acta
_acta() {
    local -a call found
    call=($words[1,CURRENT-1])
    [[ $PREFIX == -* ]] && call+=($PREFIX)
    found=(${(f)"$($call --generate-bash-completion 2>/dev/null)"})
    if (( $#found )); then compadd -a found; else _files; fi
}
compdef _acta acta
