import type {Problem} from '../../../src/lib/text/yaml-document.ts';

/** Writes problems one a line, so that a test reads like what a person sees. */
export const show = (problems: readonly Problem[]): readonly string[] =>
	problems.map(({line, column, level, message}) => {
		const mark = level === 'error' ? '' : `${level}: `;
		return `${line}:${column} ${mark}${message}`;
	});
