/** Returns whether two values of plain data are equal, whatever the order of their fields. */
export const isSame = (one: unknown, other: unknown): boolean => {
	if (Object.is(one, other)) {
		return true;
	}

	if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
		return false;
	}

	const keys = Object.keys(one);
	return (
		keys.length === Object.keys(other).length &&
		keys.every(key => Object.hasOwn(other, key) && isSame(one[key], other[key]))
	);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;
