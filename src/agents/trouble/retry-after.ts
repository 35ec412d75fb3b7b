/** Returns after how many milliseconds a service asked in words to be tried again, where it did. */
export const retryAfterIn = (words: string): number | undefined => {
	const [, amount, unit] = pattern.exec(words) ?? [];
	return amount === undefined || unit === undefined
		? undefined
		: Math.ceil(Number(amount) * millisecondsIn(unit));
};

/** "Please retry in 34.07s." says Google, "Please try again in 1.898s." OpenAI. */
const pattern =
	/\b(?:retry|try again) (?:in|after) (\d{1,9}(?:\.\d{1,9})?) ?(ms|s|seconds?|m|minutes?|h|hours?)\b/i;

const millisecondsIn = (unit: string): number => {
	switch (unit.toLowerCase().slice(0, 2)) {
		case 'ms':
			return 1;
		case 'm':
		case 'mi':
			return 60_000;
		case 'h':
		case 'ho':
			return 3_600_000;
		default:
			return 1000;
	}
};
