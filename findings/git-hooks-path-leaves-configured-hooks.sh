#!/usr/bin/env bash
# Guess: `git -c core.hooksPath=/dev/null` runs no hook. It is the way that git's manual names to turn off all hooks entirely,
# and tools that run git on a person's behalf have it in every command.
# What happens: since 2.54 hooks can stand in the configuration, as `hook.NAME.command` with `hook.NAME.event`, and for them
# there is no path. They run, and one that says no ends the commit with 1. `--no-verify` passes over those of a commit
# that it always did, and no others.
# Who it hurts: anyone who takes snapshots, merges or lays out worktrees behind a person's back. The person's formatter rewrites
# what was to be kept as it is, a check that takes a minute runs each time, and a refusal reads as a fault of the tool.
# What to know: since 2.55 `hook.EVENT.enabled=false`, an event each, turns off those of the configuration, and not those of the folder,
# though it is said to turn off all. So it takes both.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
git commit -qm start --allow-empty

git config --global hook.mine.command "echo configured >>'$T/ran'; false"
for event in pre-commit post-checkout; do
	git config --global --add hook.mine.event "$event"
	printf '#!/bin/sh\necho folder >>"%s"\nexit 1\n' "$T/ran" >".git/hooks/$event"
	chmod +x ".git/hooks/$event"
done

# Runs git with these options, and says how it ended and which hooks ran.
run() {
	: >"$T/ran"
	local code=0
	git "$@" >/dev/null 2>&1 || code=$?
	printf 'exit %s, hooks: %s' "$code" "$(sort "$T/ran" | paste -s -d ' ')"
}
commit=(commit --allow-empty -m more)
none=(-c core.hooksPath=/dev/null)

same 'commit' 'exit 1, hooks: configured folder' "$(run "${commit[@]}")"
same 'commit without a hooks path' 'exit 1, hooks: configured' "$(run "${none[@]}" "${commit[@]}")"
same 'commit --no-verify' 'exit 0, hooks: ' "$(run "${commit[@]}" --no-verify)"
same 'worktree add' 'exit 1, hooks: configured folder' "$(run worktree add --detach "$T/one")"
same 'worktree add without a hooks path' 'exit 1, hooks: configured' "$(run "${none[@]}" worktree add --detach "$T/two")"
event=(-c hook.pre-commit.enabled=false)
same 'commit with hook.pre-commit.enabled=false' 'exit 1, hooks: folder' "$(run "${event[@]}" "${commit[@]}")"
same 'commit with both' 'exit 0, hooks: ' "$(run "${event[@]}" "${none[@]}" "${commit[@]}")"
git config --global --unset-all hook.mine.event
same 'without the configured one: commit' 'exit 1, hooks: folder' "$(run "${commit[@]}")"
same 'commit without a hooks path' 'exit 0, hooks: ' "$(run "${none[@]}" "${commit[@]}")"
