import {createContext, runInContext} from 'node:vm';

export type Match = 'matches' | 'differs' | 'too slow' | 'no pattern';

/** In milliseconds, during which the process is blocked. */
const timeoutMs = 100;

/** Maximum length: a longer pattern takes long to compile. */
const longestPattern = 1000;

/** Tests a text against someone else's JavaScript regular expression, within a time limit: `node:vm` interrupts patterns such as `(a+)+$`. */
export const matchPattern = (pattern: string, text: string): Match => {
	if (pattern.length > longestPattern) {
		return 'no pattern';
	}

	// On a busy machine the process may have had no time, so try again.
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

/** Throws only at its timeout. */
const script = `(() => {
	try {
		return new RegExp(pattern).test(text);
	} catch {
		return undefined;
	}
})()`;
