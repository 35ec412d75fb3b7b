/** A user who owns nothing; root may write everywhere, so a test of what is forbidden needs another. */
const nobody = 65_534;

/** Does something with the rights of somebody who owns none of the files, if this process is root's; anybody else has no more rights as it is. */
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
