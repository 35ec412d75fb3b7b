#!/usr/bin/env bash
# Guess: Ink puts the terminal back when its program throws or calls process.exit, and starting a child process with execa
# changes nothing about that.
# What happens: once one child of execa's has ended, Ink puts nothing back: the terminal stays on the alternate screen,
# without a cursor. Ink hooks the end of the process by signal-exit 3, execa by signal-exit 4. With its last listener,
# version 4 sets process.emit to what it was when version 4 was imported, and so removes the hooks that version 3 set since.
# Who it hurts: everybody whose full-screen program in Ink runs git by execa; after a fault the shell is unreadable.
# What to know: keep one listener of signal-exit 4 for as long as the program runs (its onExit with an empty function), or
# start children with {cleanup: false}.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 ink@8.0.0 react@19.3.1 execa@10.2.1 signal-exit@4.1.0 @lydell/node-pty@1.1.0
own_home
cat >"$T/program.mjs" <<'JS'
import {render, Text} from 'ink';
import {createElement} from 'react';
import {execa} from 'execa';
import {onExit} from 'signal-exit';

const [, , children, ending] = process.argv;
if (children === 'kept') onExit(() => {});
render(createElement(Text, {}, 'shown'), {alternateScreen: true});
if (children !== 'none') await execa('true', [], {cleanup: children !== 'uncleaned'});
setTimeout(() => {
	if (ending === 'exit') process.exit(3);
	throw new Error('a fault');
}, 300);
JS
run_module <<'JS'
import {spawn} from '@lydell/node-pty';
import {same} from './acp.mjs';

/** What the terminal is left as by a program that starts children in some way, and ends in some way. */
const leaves = (...words) =>
	new Promise(resolve => {
		const {CI, ...env} = process.env;
		const child = spawn(process.execPath, ['program.mjs', ...words], {cols: 80, rows: 24, env});
		let written = '';
		child.onData(data => {
			written += data;
		});
		child.onExit(() => {
			const took = written.includes('\x1b[?1049h');
			const putBack = written.includes('\x1b[?1049l') && written.includes('\x1b[?25h');
			resolve(took ? (putBack ? 'put back' : 'not put back') : written);
		});
	});

const expected = {
	none: 'put back',
	some: 'not put back',
	uncleaned: 'put back',
	kept: 'put back',
};
for (const [children, terminal] of Object.entries(expected)) {
	for (const ending of ['fault', 'exit']) {
		same(`children ${children}, ${ending}`, terminal, await leaves(children, ending));
	}
}
JS
