import {sanitize, withoutColors} from '../../../lib/text/sanitize.ts';
import {makeFinder} from '../../checks/make-finder.ts';
import type {Diagnosis} from '../oracle.ts';

/**
Returns the errors that a check printed, one a line: `path:line: message`, with a column or without, or `path(line,column): message`.

@param paths All paths of the tree; a line that names no file of it is no error of the tree's.
*/
export const readCheck = (output: string, paths: Iterable<string>): readonly Diagnosis[] => {
	const inTree = makeFinder(paths);
	return output.split('\n').flatMap(line => {
		const {path = '', line: number, text = ''} = formOf(withoutColors(line))?.groups ?? {};
		const known = inTree(path);
		const {code = '', said = ''} = message.exec(text)?.groups ?? {};
		return known === undefined || said === '' || mild.test(text)
			? []
			: [{path: known, line: Number(number), code, text: sanitize(said).slice(0, longest)}];
	});
};

const longest = 500;

const forms: readonly RegExp[] = [
	/^\s*(?<path>[^\s:()][^:()]*\.\w+):(?<line>\d+)(?::\d+)?:?\s*(?:-\s*)?(?<text>\S.*)$/,
	/^\s*(?<path>\S[^:]*?\.\w+)\((?<line>\d+)(?:,\d+)?\):?\s*(?<text>\S.*)$/,
];

const formOf = (line: string): RegExpExecArray | undefined =>
	line.length > longestLine
		? undefined
		: (forms.map(form => form.exec(line)).find(match => match !== null) ?? undefined);

const longestLine = 2000;

/** Compilers tell these on a red tree and on a green one. */
const mild = /^(?:warning|note|info|hint)\b/i;

const message = /^(?:(?:fatal )?error\b:?\s*)?(?:(?<code>[A-Z]{1,5}\d{2,5})\b:?\s*)?(?<said>.*)$/i;
