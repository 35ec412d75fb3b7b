import type {Trial} from './try-agent.ts';

/** Returns further remarks on a trial for finding a cause, one per line. */
export const remarksOn = (trial: Trial): readonly string[] => {
	if (trial.kind !== 'tried') {
		return [];
	}

	const {seconds, hosts, leftover, trouble, kept} = trial;
	return [
		`took ${seconds} s`,
		...hosts.map(host => `wanted to reach ${host}, and was not let`),
		...leftover.map(command => `left running: ${command}`),
		...(trouble === undefined ? [] : [`stopped: ${trouble}`]),
		...(kept === undefined ? [] : [`kept in ${kept}`]),
	].map(remark => `${trial.vendor} ${remark}`);
};
