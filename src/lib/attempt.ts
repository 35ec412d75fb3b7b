/** Returns what an act comes to; nothing where it fails, for whatever reason. */
export const attempt = <Result>(act: () => Result): Result | undefined => {
	try {
		return act();
	} catch {
		return undefined;
	}
};
