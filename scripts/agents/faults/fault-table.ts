import {faults} from '../../../fixtures/models/faults.ts';
import {type AgentVendor, agentVendors} from '../../../src/events/plan.ts';
import {printTable} from '../../../src/lib/text/markdown-table.ts';
import type {FaultTrial, Sight} from './try-fault.ts';

/** Returns the table fault × agent, as Markdown: what a person sees, and after how many seconds. */
export const faultTable = (trials: readonly FaultTrial[]): string => {
	const vendors = agentVendors.filter(vendor => trials.some(trial => trial.vendor === vendor));
	return printTable([
		['', ...vendors.map(vendor => `\`${vendor}\``)],
		...faults.map(({title}) => [
			title,
			...vendors.map(vendor => cellOf(trials.find(one => isOf(one, vendor, title)))),
		]),
	]);
};

/** Whether something was seen of every fault, and nothing that is not so. */
export const isTold = (trials: readonly FaultTrial[]): boolean =>
	trials.every(({sights}) => sights.length > 0 && sights.every(({isTrue}) => isTrue));

const isOf = (trial: FaultTrial, vendor: AgentVendor, title: string): boolean =>
	trial.vendor === vendor && trial.fault.title === title;

const cellOf = (trial: FaultTrial | undefined): string => {
	if (trial === undefined) {
		return '';
	}

	if (trial.why !== undefined) {
		return `could not be tried: ${cut(trial.why)}`;
	}

	return trial.sights.length === 0 ? 'FALSE: nothing' : trial.sights.map(sightText).join('; ');
};

const sightText = ({after, kind, text, isTrue}: Sight): string => {
	const words = kind === 'failed' ? `failed, ${cut(text)}` : text;
	return `${isTrue ? '' : 'FALSE: '}${after} s ${words}`;
};

/** What a service said stands behind the headline, and is of no use in a table. */
const cut = (text: string): string => text.split(/[:;]/)[0]?.trim() ?? text;
