/** Id of a user who owns nothing; root may write everywhere, so a test of missing permissions needs another user. */
const nobody = 65_534;

/** Runs a function with the rights of a user who owns none of the files, if this process is root's; other users have no more rights anyway. */
export const asNobody = async <Value>(act: () => Promise<Value>): Promise<Value> => {
	if (process.geteuid?.() !== 0) {
		return act();
	}

	process.seteuid?.(nobody);
	try {
		return await act();
	} finally {
		process.seteuid?.(0);
	}
};
