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
	read: ({root, code, stderr}) => {
		const errors = readLines(root, stderr, errorLine);
		return code !== 0 && errors.length === 0 ? undefined : errors;
	},
};

const errorLine = /^(?<path>.+\.java):(?<line>\d+): error: (?<text>.+)$/;
