import {isAbsolute, normalize, relative} from 'node:path';
import type {Diagnosis} from '../oracle.ts';

/**
Reads errors that stand one on a line.

@param pattern With the groups `path`, `line`, `text` and maybe `code`.
*/
export const readLines = (root: string, text: string, pattern: RegExp): readonly Diagnosis[] =>
	text.split('\n').flatMap(line => {
		const {path, line: number, code = '', text: said} = pattern.exec(line)?.groups ?? {};
		return path === undefined || number === undefined || said === undefined
			? []
			: [{path: pathIn(root, path), line: Number(number), code, text: said.trim()}];
	});

/** Returns a path as git writes it, from the root of the tree. */
export const pathIn = (root: string, path: string): string =>
	normalize(isAbsolute(path) ? relative(root, path) : path);
