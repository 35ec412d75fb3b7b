import picomatch from 'picomatch/posix.js';

/** Returns whether a glob matches a path, given as its segments. */
export type Matcher = (steps: readonly string[]) => boolean;

/** A segment of a pattern: `**` for any number of names, or a test of one name. */
type Step = '**' | ((name: string) => boolean);

const maximumLength = 256;
const maximumAlternatives = 64;
const maximumStars = 3;

/**
Expands a glob into alternatives without braces, each a list of segments, or returns why it is invalid.

The language is small, so that a glob means the same everywhere: segments separated by `/`, `*` and `?` within one, `**` as a whole segment, `{a,b}` for alternatives, and `[ab]`, which also matches itself (`app/[id]/page.tsx` names that file). All other characters are literal.
*/
export const readGlob = (
	glob: string,
): {readonly alternatives: readonly (readonly string[])[]} | {readonly why: string} => {
	const why = whyBadText(glob);
	if (why !== undefined) {
		return {why};
	}

	const expanded = expandBraces(glob);
	if (expanded === undefined) {
		return {why: `stands for more than ${maximumAlternatives} patterns`};
	}

	const alternatives = expanded.map(text => text.split('/'));
	const whyStep = alternatives.map(whyBadSteps).find(reason => reason !== undefined);
	return whyStep === undefined ? {alternatives} : {why: whyStep};
};

/** Returns a glob for one path. Nothing can be escaped, so a special character becomes `?`. */
export const asGlob = (path: string): string =>
	path.replace(/[*?{}\\\u0000-\u001f\u007f]/g, '?').replace(/^!/, '?');

/** Returns why segments don't name a path below the root; a trailing `/` is fine. */
export const whyNotBelowRoot = (steps: readonly string[]): string | undefined => {
	if (steps[0] === '') {
		return steps.length === 1 ? 'is empty' : 'is absolute; it starts at the root of the repository';
	}

	if (steps.includes('..')) {
		return 'holds `..`; it can’t leave the repository';
	}

	if (steps.includes('.')) {
		return 'holds a `.` step; it starts at the root of the repository anyway';
	}

	return steps.slice(0, -1).includes('') ? 'holds an empty step (`//`)' : undefined;
};

/**
Compiles a glob; `undefined` if it is invalid.

A last segment without `*` and `?` may name a folder, and then matches everything below it; a trailing `/` makes that explicit. Whether `src/` and `src/**` also match `src` itself depends on `folders`: an agent that may write below a folder may not replace it by a file or link (`'under'`), but if everything below a folder is forbidden, the folder itself is forbidden as well (`'itself and under'`).
*/
export const compileGlob = (
	glob: string,
	folders: 'under' | 'itself and under',
): Matcher | undefined => {
	const read = readGlob(glob);
	if ('why' in read) {
		return undefined;
	}

	const patterns = read.alternatives.map(steps => toPattern(steps, folders));
	return steps => patterns.some(pattern => isMatch(pattern, steps));
};

const whyBadText = (glob: string): string | undefined => {
	if (glob.length > maximumLength) {
		return `is longer than ${maximumLength} characters`;
	}

	if (glob.includes('\\')) {
		return 'holds a backslash; steps are separated by `/`, and nothing is escaped';
	}

	if (/[\u0000-\u001f\u007f]/.test(glob)) {
		return 'holds a control character';
	}

	if (glob.startsWith('!')) {
		return 'starts with `!`; what an agent may not write goes into `forbidden`';
	}

	return whyBadBraces(glob);
};

const whyBadBraces = (glob: string): string | undefined => {
	let rest = glob;
	for (let before = ''; before !== rest; ) {
		before = rest;
		rest = rest.replace(/\{[^{},]*,[^{}]*\}/, '');
	}

	if (/\{[^{}]*\}/.test(rest)) {
		return 'has braces that do not list alternatives such as `{a,b}`';
	}

	return /[{}]/.test(rest) ? 'has unbalanced braces' : undefined;
};

/** Expands one group at a time, innermost first, and gives up when there are too many. */
const expandBraces = (glob: string): readonly string[] | undefined => {
	let alternatives = [glob];
	while (alternatives.some(text => text.includes('{'))) {
		alternatives = alternatives.flatMap(expandOneGroup);
		if (alternatives.length > maximumAlternatives) {
			return undefined;
		}
	}

	return [...new Set(alternatives)];
};

const expandOneGroup = (glob: string): readonly string[] => {
	const group = /\{(?<names>[^{}]*)\}/.exec(glob);
	if (group === null) {
		return [glob];
	}

	const before = glob.slice(0, group.index);
	const after = glob.slice(group.index + group[0].length);
	return (group.groups?.names ?? '').split(',').map(name => before + name + after);
};

const whyBadSteps = (steps: readonly string[]): string | undefined =>
	whyNotBelowRoot(steps) ?? steps.map(whyBadStep).find(why => why !== undefined);

const whyBadStep = (step: string): string | undefined => {
	if (step.includes('**') && step !== '**') {
		return 'joins `**` to other characters; it must be a step of its own, as in `src/**/*.ts`';
	}

	// Every `*` in a name multiplies the time a match may take.
	if (step !== '**' && step.split('*').length - 1 > maximumStars) {
		return `has more than ${maximumStars} \`*\` in one step`;
	}

	if (/[[\]]/.test(step.replaceAll(/\[[^[\]]+\]/g, ''))) {
		return 'has unbalanced brackets';
	}

	try {
		picomatch.makeRe(step === '' ? '*' : step, {...stepOptions, debug: true});
		return undefined;
	} catch {
		return 'has brackets that are no range of characters';
	}
};

const toPattern = (
	steps: readonly string[],
	folders: 'under' | 'itself and under',
): readonly Step[] => {
	const last = steps.at(-1) ?? '';
	const under: readonly Step[] = folders === 'under' ? ['**', () => true] : ['**'];
	if (last === '' || last === '**') {
		return [...steps.slice(0, -1).map(toStep), ...under];
	}

	return /[*?]/.test(last) ? steps.map(toStep) : [...steps.map(toStep), '**'];
};

const toStep = (step: string): Step => {
	if (step === '**') {
		return '**';
	}

	return /[*?[]/.test(step)
		? picomatch(step.replaceAll(/[()]/g, '\\$&'), stepOptions)
		: name => name === step;
};

/** `posix` enables `[!a]`, and the flag lets `*` match a line break. */
const stepOptions = {
	dot: true,
	nobrace: true,
	noextglob: true,
	nonegate: true,
	keepQuotes: true,
	posix: true,
	flags: 's',
};

/** Matches segment by segment, backtracking only to the last `**`, in linear time for each `**`. A regular expression for the whole path would try all ways to split it, and an agent may choose the path. */
const isMatch = (pattern: readonly Step[], steps: readonly string[]): boolean => {
	let at = 0;
	let retry: {at: number; from: number} | undefined;
	for (let index = 0; index < steps.length; ) {
		const step = pattern[at];
		if (step === '**') {
			at += 1;
			retry = {at, from: index};
		} else if (step?.(steps[index] ?? '')) {
			at += 1;
			index += 1;
		} else if (retry === undefined) {
			return false;
		} else {
			retry = {at: retry.at, from: retry.from + 1};
			({at} = retry);
			index = retry.from;
		}
	}

	return pattern.slice(at).every(step => step === '**');
};
