#!/usr/bin/env bash
# Guess: a clone of a clone that was made with --filter=blob:none fetches what is missing, from there or from its origin; or
# `git clone` refuses, as it does by way of file://, where it ends with 128 and leaves nothing.
# What happens: a clone by a path copies what is there, exit 0, and forgets that the rest was promised. So objects are missing:
# `git log -p` dies. `git switch` to an older commit says "unable to read", ends with 0, and the file is not there. From then on
# a commit fails, and `git gc` ends with 128 in each run. A fetch from the origin, which has everything, mends nothing.
# Who it hurts: anyone who keeps one partial clone of a large repository, and gives each agent or sandbox a clone of it, as the
# quickest copy that there is: agents work on a tree that lacks files, and nothing but a line among others told them.
# What to know: `git worktree add` is as quick, and fetches. In such a copy `git fetch --refetch URL` of the origin brings all.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/origin"
cd "$T/origin"
git config uploadpack.allowFilter true
git config uploadpack.allowAnySHA1InWant true
for number in 1 2 3; do
	echo "$number" >file
	git add .
	git commit -qm "$number"
done
git clone -q --filter=blob:none "file://$T/origin" "$T/partial"

# Runs git, and says how it ended.
run() {
	local code=0
	git "$@" >"$T/log" 2>&1 || code=$?
	printf '%s' "$code"
}
same 'exit code of a clone of the partial clone' 0 "$(run clone "$T/partial" "$T/copy")"
same 'the same by way of file://' 128 "$(run clone "file://$T/partial" "$T/other")"
cd "$T/copy"
same 'exit code of git log -p' 128 "$(run log -p)"
same 'exit code of a fetch from the origin' 0 "$(run fetch "file://$T/origin" main)"
same 'exit code of git switch' 0 "$(run switch --detach HEAD~1)"
same 'what it said' 'error: unable to read' "$(grep -o 'error: unable to read' "$T/log")"
same 'files' '' "$(ls)"
echo new >new
git add new
same 'exit code of a commit' 1 "$(run commit -m new)"
same 'exit code of git gc' 128 "$(run gc)"
same 'exit code of git fetch --refetch from the origin' 0 "$(run fetch --refetch "file://$T/origin" main)"
same 'exit code of git restore' 0 "$(run restore file)"
same 'files' 'file new' "$(ls | paste -s -d ' ')"
