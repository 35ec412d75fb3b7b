#!/usr/bin/env bash
# Guess: where `git maintenance run` was killed, the next run goes on: `git gc` heeds its own lock only while the process in it
# lives and for half a day. Or it fails and names the lock that is left, as git does with each other lock.
# What happens: objects/maintenance.lock stays, and from then on each run ends at once, with 0 and without a word (at a terminal
# it says that it skips). That is also how each commit tidies up, so loose objects pile up in all worktrees, for good.
# (Git 2.55 does the same.)
# Who it hurts: anyone who ends a sandbox, a container or a machine as soon as the agent in it is done: its last commit has just
# begun the maintenance, which is killed with all else.
# What to know: `git -c maintenance.auto=false` for commits in what may be ended, or remove that lock where no git runs. `git gc`,
# called as such, doesn't look at it.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
mkdir files
for i in $(seq 2000); do echo "$i" >"files/$i"; done
git config gc.auto 1000
git config gc.autoDetach false

# Holds the maintenance that a commit begins until it is killed.
mkfifo "$T/gate"
printf '#!/bin/sh\necho $$ >"%s/held"\nexec cat "%s/gate"\n' "$T" "$T" >.git/hooks/pre-auto-gc
chmod +x .git/hooks/pre-auto-gc
git add .
setsid git commit -qm start &
commit=$!
while [ ! -s "$T/held" ]; do sleep 0.1; done
kill -KILL -- "-$commit"
wait "$commit" 2>/dev/null || true
rm .git/hooks/pre-auto-gc

loose() { git count-objects | cut -d ' ' -f 1; }
# Runs git, and says how it ended, what it said, and how many loose objects there are afterwards.
run() {
	local said code=0
	said=$(git "$@" 2>&1) || code=$?
	printf 'exit %s, %s, %s loose' "$code" "${said:-silence}" "$(loose)"
}
same 'left behind' maintenance.lock "$(cd .git/objects && echo *.lock)"
same 'loose objects' 2003 "$(loose)"
same 'git maintenance run --auto' 'exit 0, silence, 2003 loose' "$(run maintenance run --auto)"
same 'git maintenance run' 'exit 0, silence, 2003 loose' "$(run maintenance run)"
same 'another commit' 'exit 0, silence, 2004 loose' "$(run commit -qm more --allow-empty)"
rm .git/objects/maintenance.lock
same 'without the lock, git maintenance run' 'exit 0, silence, 0 loose' "$(run maintenance run)"
