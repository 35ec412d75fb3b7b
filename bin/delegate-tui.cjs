#!/bin/sh
':' //; f=$(readlink -f -- "$0"); n="${f%/*}/../node_modules/.bin/node"; [ -x "$n" ] || n=node; exec "$n" "$0" "$@"
// The two lines above let a shell start this file: with the Node.js that `npm ci` brought into a
// clone, else with the person's own. Everything below is old JavaScript, so that any Node.js can say what it lacks.
'use strict';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
	process.stderr.write(
		'delegate-tui needs Node.js 22.13 or newer; this is ' + process.version + '.\n' +
		'Hint: install a newer Node.js, or run "npm ci" in a clone, which brings its own.\n',
	);
	process.exit(3);
}

try {
	require('node:os').homedir();
} catch {
	process.stderr.write(
		'This user has no home folder: no list of users knows it, and HOME is not set.\n' +
		'Hint: set HOME to a folder that can be written.\n',
	);
	process.exit(3);
}

// `node:sqlite` announces itself as experimental on Node.js 22, in the middle of our screen.
const {emitWarning} = process;
process.emitWarning = (warning, ...rest) => {
	if (rest[0] !== 'ExperimentalWarning') {
		emitWarning.call(process, warning, ...rest);
	}
};

// Nothing of the program is needed for that.
if (process.argv[2] === '--version' || process.argv[2] === '-V') {
	process.stdout.write(require('../package.json').version + '\n');
	process.exit();
}

// What scripts ask for most has a file of its own, where nothing but its words is said: the parser of
// words takes as long to load as these do to answer.
const [name, ...others] = process.argv.slice(2);
const said = others.filter(word => word !== '--json');
const isShort =
	name === 'answer'
		? said.every(word => !word.startsWith('-'))
		: ['status', 'inbox'].includes(name) && said.length === 0;

require('node:module').enableCompileCache?.();
import('../dist/' + (isShort ? name : 'delegate-tui') + '.js').then(
	program => program.default(process.argv.slice(2)),
	error => {
		process.stderr.write(
			error.code === 'ERR_MODULE_NOT_FOUND'
				? 'delegate-tui is not built yet.\nHint: npm run build\n'
				: String(error.stack) + '\n',
		);
		process.exit(4);
	},
);
