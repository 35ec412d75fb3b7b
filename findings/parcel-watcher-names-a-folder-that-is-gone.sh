#!/usr/bin/env bash
# Guess: after `mv a c` @parcel/watcher tells of what happens below c, as it does below any other folder.
# What happens: on Linux that holds for files of c itself only. Edits, new files and deletions one level further down, in c/b, are
# told as those of a/b, a folder that is no longer there, for as long as the watch goes on. An edit is not even told by itself, but
# with the next event of another file.
# Who it hurts: anyone who shows what agents change, or runs checks on it, by this watcher, which editors and build tools use: after a
# rename of a folder, which agents and a `git mv` make often, the edits in it are never seen.
# What to know: when a folder that has folders in it is created, begin the watch anew.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @parcel/watcher@2.6.0
own_home
run_module <<'JS'
import {mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {subscribe} from '@parcel/watcher';
import {same} from './acp.mjs';

const root = join(process.cwd(), 'tree');
const path = (...names) => join(root, ...names);
mkdirSync(path('a', 'b'), {recursive: true});
writeFileSync(path('a', 'own'), 'one');
writeFileSync(path('a', 'b', 'below'), 'one');

let events = [];
const name = ({type, path: file}) => `${type} ${file.slice(root.length + 1)}`;
const listen = () =>
	subscribe(root, (error, told) => {
		if (error) throw error;
		events.push(...told.map(name));
	});
let marks = 0;
let byItself = '';
/** What is told of something that is done, up to the event of a file that is made last. */
const told = async action => {
	events = [];
	await action();
	await pause(1500);
	byItself = events.join(', ');
	const mark = `mark-${(marks += 1)}`;
	writeFileSync(path(mark), '');
	while (!events.includes(`create ${mark}`)) await pause(20);
	return events.filter(event => !event.endsWith(mark)).join(', ');
};

const first = await listen();
same('mv a c', 'delete a, create c', await told(() => renameSync(path('a'), path('c'))));
same('an edit of c/own', 'update c/own', await told(() => writeFileSync(path('c', 'own'), 'two')));
same('an edit of c/b/below', 'update a/b/below', await told(() => writeFileSync(path('c', 'b', 'below'), 'two')));
same('without the next event', '', byItself);
same('a new file c/b/new', 'create a/b/new', await told(() => writeFileSync(path('c', 'b', 'new'), '')));
same('a deletion of c/b/below', 'delete a/b/below', await told(() => rmSync(path('c', 'b', 'below'))));
await first.unsubscribe();
const second = await listen();
same('an edit of c/b/new once a new watch has begun', 'update c/b/new', await told(() => writeFileSync(path('c', 'b', 'new'), 'two')));
await second.unsubscribe();
JS
