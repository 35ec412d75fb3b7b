/** Calls `act` for each item, at most `limit` at a time, and waits for all. */
export const forEachConcurrent = async <Thing>(
	things: Iterable<Thing>,
	limit: number,
	act: (thing: Thing) => Promise<void>,
): Promise<void> => {
	const waiting = [...things].values();
	const worker = async (): Promise<void> => {
		for (const thing of waiting) {
			await act(thing);
		}
	};

	await Promise.all(Array.from({length: limit}, worker));
};
