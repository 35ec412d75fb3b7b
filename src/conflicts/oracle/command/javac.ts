import type {Checker} from './checker.ts';
import {readLines} from './read-lines.ts';

export const javac: Checker = {
	name: 'javac',
	program: 'javac',
	version: ['-version'],
	serves: path => path.endsWith('.java'),
	runsCode: false,
	// Without processors, which are code of the tree.
	args: files => [
		'-proc:none',
		'-implicit:none',
		'-Xmaxerrs',
		'10000',
		'-d',
		'../classes',
		...files,
	],
	environment: {LC_ALL: 'C'},
	read: ({root, stderr}) => readLines(root, stderr, errorLine),
};

const errorLine = /^(?<path>.+\.java):(?<line>\d+): error: (?<text>.+)$/;
