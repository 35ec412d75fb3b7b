/**
Finds the plan in what a planner said: the last fenced block that looks like one, else all from the line `version:` on.

Returns nothing where there is none.
*/
export const planInWords = (words: string): string | undefined => {
	const blocks = [...words.replaceAll('\r\n', '\n').matchAll(fence)].map(([, , text = '']) => text);
	const plan = blocks.findLast(text => isPlan.test(text));
	if (plan !== undefined) {
		return plan;
	}

	const start = words.search(isPlan);
	return blocks.length > 0 || start === -1 ? undefined : words.slice(start);
};

const isPlan = /^(?:version|agents):/m;

/** A fence is closed by one that is as long; words that end within one were cut off. */
const fence = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;
