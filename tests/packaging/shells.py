"""Shells as somebody at a terminal meets them: what TAB offers and what it leaves on the line."""

import os
import pathlib
import pty
import subprocess
import threading
import time
import tty

TIMEOUT = 60 * int(os.environ.get("PLAYPROOF_SLOWER", "1"))
SHOW = b"\x14"  # Ctrl-T writes the line into the file, after what was offered
CLEAR = b"\x15"  # Ctrl-U
PROMPT = b"READY> "

BASH = """
PS1='READY> '
bind 'set enable-bracketed-paste off'
source {share}/bash-completion/completions/playproof
offered() {{ _playproof; printf '+%s\\n' "${{COMPREPLY[@]}}" >> {out}; }}
complete -F offered playproof playproof-check playproof-cluster
bind 'set completion-query-items 0'
bind 'set page-completions off'
show() {{ printf '=%s\\n' "$READLINE_LINE" >> {out}; }}
bind -x '"\\C-t": show'
{more}
"""
# Each call of `compadd` tells what it would add; calls that only ask are let through.
ZSH = """
unset zle_bracketed_paste
unsetopt prompt_sp
PS1='READY> '
bindkey -e
fpath=({share}/zsh/site-functions $fpath)
autoload -Uz compinit
compinit -u -D
LISTMAX=100000
unsetopt auto_menu
compadd() {{
  if [[ ${{@[1,(i)(-|--)]}} == *-[OAD]\\ * ]]; then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -O offered "$@"
  (( ${{#offered}} )) && print -rl -- +$^offered >> {out}
  builtin compadd "$@"
}}
show() {{ print -r -- "=$BUFFER" >> {out} }}
zle -N show
bindkey '^T' show
{more}
"""


class Terminal:
    """bash or zsh behind a terminal of its own."""

    def __init__(self, shell, share, folder, more=""):
        self.out = pathlib.Path(folder) / f"{shell}.out"
        self.out.write_text("")
        start = {"bash": BASH, "zsh": ZSH}[shell].format(share=share, out=self.out, more=more)
        setup = pathlib.Path(folder) / f"{shell}.setup"
        setup.write_text(start)
        command = {"bash": ["bash", "--noprofile", "--norc", "-i"], "zsh": ["zsh", "-f", "-i"]}[shell]
        self.master, slave = pty.openpty()
        tty.setraw(slave)  # what comes before the shell reads lines is kept as it is
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, cwd=folder, start_new_session=True,
            env=os.environ | {"TERM": "xterm", "HOME": str(folder), "LC_ALL": "C.UTF-8"})
        os.close(slave)
        self.shown = b""
        threading.Thread(target=self.drain, daemon=True).start()
        os.write(self.master, f"source {setup} && printf '=ready\\n' >> {self.out}\n".encode())
        self.read(1)
        self.seen = 1
        self.wait(lambda: PROMPT in self.shown)

    def drain(self):
        try:
            while data := os.read(self.master, 65536):
                self.shown = (self.shown + data)[-4000:]
        except OSError:  # the shell is gone
            pass

    def wait(self, answer):
        """The first answer that is not nothing."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            if found := answer():
                return found
            time.sleep(0.002)
        raise AssertionError(f"the shell does not answer; it shows {self.shown!r}")

    def read(self, count):
        """The lines of the file, once `count` of them show the line."""
        def lines():
            found = self.out.read_text().split("\n")
            return found if sum(line.startswith("=") for line in found) >= count else None
        return self.wait(lines)

    def tab(self, line):
        """(what TAB offers at the end of the line, the line after it)"""
        before = len(self.read(self.seen))
        os.write(self.master, line.encode() + b"\t" + SHOW + CLEAR)
        self.seen += 1
        new = self.read(self.seen)[before - 1:]
        offered = {text[1:].rstrip() for text in new if text.startswith("+") and text != "+"}
        return offered, next(text[1:] for text in new if text.startswith("="))

    def close(self):
        os.close(self.master)
        self.process.kill()
        self.process.wait()


class Fish:
    """fish tells what it offers when it is asked."""

    def __init__(self, share):
        self.share = share

    def offers(self, lines):
        files = sorted((self.share / "fish/vendor_completions.d").iterdir())
        script = "".join(f"source {path}\n" for path in files[::-1])  # playproof's is not the last
        for line in lines:
            quoted = line.replace("\\", "\\\\").replace("'", "\\'")
            script += f"echo =; complete -C '{quoted}'\n"
        shown = subprocess.run(["fish", "--no-config"], input=script, capture_output=True, text=True,
                               timeout=TIMEOUT, check=True)
        if shown.stderr:
            raise AssertionError(shown.stderr)
        return [{line.split("\t")[0] for line in part.split("\n") if line}
                for part in shown.stdout.split("=\n")[1:]]
