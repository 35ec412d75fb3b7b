import {createContext, runInContext} from 'node:vm';

/** What came of holding a text against a pattern that somebody else wrote. */
export type Match = 'matches' | 'differs' | 'too slow' | 'no pattern';

/** How long one text may take, in milliseconds; everything else in this process waits meanwhile. */
const timeoutMs = 100;

/** A longer pattern takes long to be read already. */
const longestPattern = 1000;

/**
Holds a text against a regular expression of JavaScript, within a time limit.

A pattern such as `(a+)+$` backtracks for years on a short text; the limit of `node:vm` interrupts that. `no pattern`: it can't be read as one.
*/
export const matchPattern = (pattern: string, text: string): Match => {
	if (pattern.length > longestPattern) {
		return 'no pattern';
	}

	// A busy machine may have left this process no time; a pattern that is slow is so again.
	const first = matchOnce(pattern, text);
	return first === 'too slow' ? matchOnce(pattern, text) : first;
};

const matchOnce = (pattern: string, text: string): Match => {
	const given = createContext({pattern, text}, {codeGeneration: {strings: false, wasm: false}});
	try {
		const matches: unknown = runInContext(script, given, {timeout: timeoutMs});
		return matches === undefined ? 'no pattern' : matches === true ? 'matches' : 'differs';
	} catch {
		return 'too slow';
	}
};

/** Only the end of its time gets out of it. */
const script = `(() => {
	try {
		return new RegExp(pattern).test(text);
	} catch {
		return undefined;
	}
})()`;
