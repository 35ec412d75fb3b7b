#!/usr/bin/env bash
# Guess: where a `git switch` puts a folder in the place of a file (`api.ts` into `api/`, or a name without an ending), chokidar
# tells unlink, addDir and add, and what happens in the folder from then on.
# What happens: it tells one add, of the file in the folder, and nothing else: no unlink, no addDir, and afterwards no edit, no new
# file and no deletion below, for as long as it watches. A rename or a delete that is half a second older than the new folder is
# told in full, and so is a folder that becomes a file.
# Who it hurts: anyone who shows an agent's changes, or runs its checks, by chokidar: after a switch, a rebase or a reset the folder
# looks unchanged for good, and the tests of it never run again.
# What to know: after a change of HEAD or the index read the tree anew, and begin the watch again.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 chokidar@6.0.0
own_home
install_git_2_39
run_module <<'JS'
import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {watch} from 'chokidar';
import {same} from './acp.mjs';

const root = join(process.cwd(), 'repo');
const path = (...names) => join(root, ...names);
const git = (...args) => execFileSync('git', ['-C', root, ...args], {stdio: 'pipe'});
mkdirSync(path('src'), {recursive: true});
git('init', '-qb', 'main');
writeFileSync(path('src', 'api'), 'one file');
git('add', '.');
git('commit', '-qm', 'a file');
git('switch', '-qc', 'folder');
rmSync(path('src', 'api'));
mkdirSync(path('src', 'api'));
writeFileSync(path('src', 'api', 'index'), 'a folder');
git('add', '.');
git('commit', '-qm', 'a folder');
git('switch', '-q', 'main');

const watcher = watch(path('src'), {ignoreInitial: true});
let events = [];
watcher.on('all', (event, file) => events.push(`${event} ${file.slice(path('src').length + 1)}`));
await new Promise(resolve => watcher.on('ready', resolve));
/** What is told of something that is done, up to the event of a file that is made last. */
let marks = 0;
const told = async action => {
	events = [];
	await action();
	await pause(1500);
	const mark = `mark-${(marks += 1)}`;
	writeFileSync(path('src', mark), '');
	while (!events.includes(`add ${mark}`)) await pause(20);
	return events.filter(event => !event.endsWith(mark)).join(', ');
};

same('git switch, a file becomes a folder', 'add api/index', await told(() => git('switch', '-q', 'folder')));
same('an edit in it', '', await told(() => writeFileSync(path('src', 'api', 'index'), 'an edit')));
same('a new file in it', '', await told(() => writeFileSync(path('src', 'api', 'more'), 'new')));
same('a deletion in it', '', await told(() => rmSync(path('src', 'api', 'more'))));
await watcher.close();
const again = watch(path('src'), {ignoreInitial: true});
again.on('all', (event, file) => events.push(`${event} ${file.slice(path('src').length + 1)}`));
await new Promise(resolve => again.on('ready', resolve));
same('an edit once a new watch has begun', 'change api/index', await told(() => writeFileSync(path('src', 'api', 'index'), 'two')));
await again.close();
JS
