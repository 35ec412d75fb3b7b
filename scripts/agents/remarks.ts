import type {Trial} from './try-agent.ts';

/** Returns what else there is to say of a trial to whoever looks for the cause of something, one line each. */
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
