# Completion of playproof, playproof-check or playproof-cluster for fish. Made from what the programs say of themselves.

# What there is, a tab between name and help: of a kind (game, algorithm, backend, the name of one
# game), of KIND NAME the keys, of KIND NAME KEY the words.
function __playproof_table
    switch "$argv"
@TABLES@
    end
end

# Whether the command line is inside this command: "" is none yet.
function __playproof_at
    set -l commands @COMMANDS@
    set -l path
    for token in (commandline -opc)[2..-1]
        if contains -- "$(string join ' ' -- $path $token)" $commands
            set path $path $token
        else if not string match -q -- '-*' $token
            break
        end
    end
    test "$path" = "$argv"
end

# NAME, NAME:KEY= or NAME:KEY=WORD of a kind.
function __playproof_specs -a kind
    set -l token (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))
    set -l spec (string split -m 1 -- : $token)
    if test (count $spec) -lt 2
        __playproof_table $kind
        return
    end
    set -l last (string split -- , $spec[2])[-1]
    set -l before (string replace -r -- '[^,]*$' '' $spec[2])
    if string match -q -- '*=*' $last
        set -l key (string split -m 1 -- = $last)[1]
        for word in (__playproof_table $kind $spec[1] $key)
            echo $spec[1]:$before$key=$word
        end
    else
        for line in (__playproof_table $kind $spec[1])
            set -l key (string split -m 1 -- \t $line)
            if not string match -q -- "*,$key[1]=*" ",$before"
                echo $spec[1]:$before$key[1]=\t$key[2]
            end
        end
    end
end

@OPTIONS@
