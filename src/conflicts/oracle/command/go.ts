import type {Checker} from './checker.ts';
import {readLines} from './read-lines.ts';

export const go: Checker = {
	name: 'go vet',
	program: 'go',
	version: ['version'],
	serves: path => path.endsWith('.go'),
	project: 'go.mod',
	runsCode: false,
	args: () => ['vet', './...'],
	// Without these a tree could have a toolchain fetched and a compiler for C run.
	environment: {GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOPROXY: 'off'},
	read: ({root, stderr}) => readLines(root, stderr, errorLine),
};

const errorLine = /^(?:vet: )?(?<path>[^\s:][^:]*\.go):(?<line>\d+)(?::\d+)?: (?<text>.+)$/;
