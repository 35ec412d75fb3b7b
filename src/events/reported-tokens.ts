/** Token counts that an agent reports for a prompt or a request to its model; each may be absent. */
export type ReportedTokens = {
	readonly input?: number;
	readonly output?: number;
	readonly total?: number;
};

/** Returns how many tokens that are in all. */
export const tokensReported = ({
	input = 0,
	output = 0,
	total = input + output,
}: ReportedTokens): number => total;
