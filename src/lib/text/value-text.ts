/** Returns a value that somebody gave in YAML or JSON as words on one line: lists with commas, names before their values. */
export const valueText = (value: unknown): string => {
	if (typeof value === 'string') {
		return value;
	}

	if (Array.isArray(value)) {
		return value.map(nested).join(', ');
	}

	return typeof value === 'object' && value !== null
		? valueLines(value).join('; ')
		: (JSON.stringify(value) ?? '');
};

/** Returns such a value as lines: each of its names on one of its own; none where there is no value. */
export const valueLines = (value: unknown): readonly string[] => {
	if (value === undefined || value === null) {
		return [];
	}

	return typeof value === 'object' && !Array.isArray(value)
		? Object.entries(value).map(([name, part]) => `${name}: ${nested(part)}`)
		: [valueText(value)];
};

/** Inside another value only a list of words reads well without its brackets. */
const nested = (value: unknown): string =>
	typeof value !== 'object' || value === null || (Array.isArray(value) && value.every(isPlain))
		? valueText(value)
		: JSON.stringify(value);

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
