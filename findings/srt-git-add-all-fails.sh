#!/usr/bin/env bash
# Guess: in the sandbox of @anthropic-ai/sandbox-runtime, with permission to write in the folder, `git add -A` and `git commit` work
# as outside: what it refuses is a write to .bashrc, .mcp.json, .git/hooks and the like. In a clean worktree `git status` is
# clean.
# What happens: each of those files that isn't there is put there, as a device, so that git sees eleven new files, and `git add
# -A` and `git add .` end with 128, "can only add regular files", with nothing staged. Outside the sandbox the same eleven are
# empty files in the worktree for as long as a command runs: `git add -A` beside it stages them. They go when the command ends.
# Who it hurts: agents, whose habit `git add -A && git commit` is: it fails in the sandbox, and suggests that the repository is
# broken. And anyone who takes a snapshot or makes a commit of the worktree meanwhile: it has an empty .gitmodules, .mcp.json and .vscode.
# What to know: `git commit -a` and `git add` with the names of files work. Name the eleven in .git/info/exclude.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @anthropic-ai/sandbox-runtime@0.0.83
own_home
install_git_2_55
install_sandbox_tools
bwrap --version
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
git add .
git commit -qm start
same 'state outside' '' "$(git status --short)"

# Runs this in the sandbox.
sandboxed() { srt --settings "$T/sandbox.json" -c "$1"; }
files='.bash_profile .bashrc .gitconfig .gitmodules .idea .mcp.json .profile .ripgreprc .vscode .zprofile .zshrc'
# The new files that git sees, in one line.
news() { sed -n 's/^?? //p' | sort | paste -s -d ' '; }
same 'new files in the sandbox' "$files" "$(sandboxed 'git status --short' | news)"
echo changed >file
same 'git add -A in the sandbox' 'error: .bash_profile: can only add regular files, symbolic links or git-directories' \
	"$(sandboxed 'git add -A 2>&1' | head -n 1)"
same 'its exit code, and what is staged' '128, nothing' "$(sandboxed 'git add -A 2>/dev/null; echo "$?, $(git diff --cached --name-only)nothing"')"
same 'git commit -a' '0' "$(sandboxed 'git commit -qam changed; echo $?')"
same 'state outside' '' "$(git status --short)"

mkfifo .git/started .git/go
sandboxed 'echo >.git/started; read -r <.git/go' &
read -r <.git/started
same 'new files outside while a command runs' "$files" "$(git status --short | news)"
git add -A
same 'what git add -A stages' "$files" "$(git diff --cached --name-only | sort | paste -s -d ' ')"
same 'what they hold' 0 "$(cat $files | wc -c)"
echo >.git/go
wait $!
same 'state when the command has ended' 11 "$(git status --short | grep -c '^AD ')"
