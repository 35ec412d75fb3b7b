/** Reads a text as a JSON object; nothing when it is none. */
export const readJsonObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value)
			? Object.fromEntries(Object.entries(value))
			: undefined;
	} catch {
		return undefined;
	}
};
