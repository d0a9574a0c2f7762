# Completions of Ebb for fish: what `ebb completions fish` prints. The words come from `ebb complete`.
# Nothing of an item is ever run: fish quotes what it puts on the command line, and all else is only shown.

function __ebb_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct | string trim --left --chars '"\'')
    set -l lines (command ebb complete -- $words "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    switch "$kind"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case '*'
            string join \n -- $lines
    end
end

complete --command ebb --no-files --keep-order --arguments '(__ebb_complete)'
