#!/usr/bin/env bash
# Guess: `fs.watch` with `recursive` tells of each edit below a folder, also after a `git switch` or an editor has put a new file
# in the place of an old one, as it does without `recursive`, and with it on macOS and Windows.
# What happens: on Linux Node 24 tells of the switch itself, and then of no further edit to any file that it replaced, for as long
# as the watch goes on. New files, and files that were left as they are, are told of. Node 26 tells of all edits.
# Who it hurts: watchers of agents' worktrees, and test runners with a watch mode of Node's own: each agent's Edit that writes by
# rename, each rebase and stash leaves more files unwatched, without an error.
# What to know: on Linux watch each folder without `recursive`, or begin the watch anew after each event.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@26.10.0
mkdir "$T/newer"
cp -L "$T/node_modules/.bin/node" "$T/newer/node"
install node@24.21.0
own_home
install_git_2_39
watched() {
	rm -rf "$T/repo"
	run_module <<'JS'
import {execFileSync} from 'node:child_process';
import {mkdirSync, watch, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {same} from './acp.mjs';

const root = join(process.cwd(), 'repo');
const path = (...names) => join(root, 'src', ...names);
const git = (...args) => execFileSync('git', ['-C', root, ...args], {stdio: 'pipe'});
const fill = text => ['replaced', 'folder/file'].forEach(name => writeFileSync(path(name), `${text} of ${name}`));
mkdirSync(path('folder'), {recursive: true});
writeFileSync(path('same'), 'one');
git('init', '-qb', 'main');
fill('one');
git('add', '.');
git('commit', '-qm', 'one');
git('switch', '-qc', 'other');
fill('another');
git('commit', '-qam', 'another');
git('switch', '-q', 'main');

let names = new Set();
const watcher = watch(path(), {recursive: true}, (event, name) => names.add(name));
await pause(1000);
let marks = 0;
/** The names that are told of something that is done, up to that of a file that is made last. */
const told = async action => {
	names = new Set();
	action();
	await pause(1500);
	const mark = `mark-${(marks += 1)}`;
	writeFileSync(path(mark), '');
	while (!names.has(mark)) await pause(20);
	return [...names].filter(name => name !== mark).sort().join(', ');
};
const [major] = process.versions.node.split('.');
const expected = {24: {replaced: '', below: ''}, 26: {replaced: 'replaced', below: 'folder/file'}}[major];
same(`Node ${process.version}: an edit before the switch`, 'same', await told(() => writeFileSync(path('same'), 'an edit')));
same('git switch', 'folder/file, replaced', await told(() => git('switch', '-q', 'other')));
same('an edit of a file', expected.replaced, await told(() => writeFileSync(path('replaced'), 'an edit')));
same('of one in a folder', expected.below, await told(() => writeFileSync(path('folder', 'file'), 'an edit')));
same('of one that was not replaced', 'same', await told(() => writeFileSync(path('same'), 'two')));
same('a new file in a folder', 'folder/new', await told(() => writeFileSync(path('folder', 'new'), '')));
watcher.close();
JS
}
watched
PATH=$T/newer:$PATH watched
