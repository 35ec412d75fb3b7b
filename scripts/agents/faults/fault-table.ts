import {faults} from '../../../fixtures/models/faults.ts';
import type {AgentVendor} from '../../../src/events/plan.ts';
import {agentVendors} from '../../../src/events/vendors.ts';
import {printTable} from '../../../src/lib/text/markdown-table.ts';
import {isSame, omit} from '../../../src/lib/values.ts';
import {incidents} from './incidents.ts';
import type {FaultTrial, Sight} from './try-fault.ts';

/** Returns the table fault × agent, as Markdown: what a person sees, and after how many seconds. */
export const faultTable = (trials: readonly FaultTrial[]): string => {
	const vendors = agentVendors.filter(vendor => trials.some(trial => trial.vendor === vendor));
	return printTable([
		['', ...vendors.map(vendor => `\`${vendor}\``)],
		...titlesOf(trials).map(title => [
			title,
			...vendors.map(vendor => cellOf(trials.find(one => isOf(one, vendor, title)))),
		]),
	]);
};

/** Returns the titles of the tried faults and incidents, in table order. */
const titlesOf = (trials: readonly FaultTrial[]): readonly string[] =>
	[...faults, ...incidents]
		.map(({title}) => title)
		.filter(title => trials.some(({fault}) => fault.title === title));

/** Returns whether each fault was visible, and only with true descriptions. */
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

	const runs = runsOf(trial.sights);
	return runs.length === 0 ? 'FALSE: nothing' : runs.map(sightText).join('; ');
};

/** Groups consecutive equal sights. */
const runsOf = (sights: readonly Sight[]): readonly (readonly [Sight, ...Sight[]])[] => {
	const runs: [Sight, ...Sight[]][] = [];
	for (const sight of sights) {
		const last = runs.at(-1);
		if (last?.[0].kind === 'waits' && isSame(omit(last[0], 'after'), omit(sight, 'after'))) {
			last.push(sight);
		} else {
			runs.push([sight]);
		}
	}

	return runs;
};

const sightText = ([{after, kind, text, isTrue}, ...again]: readonly [
	Sight,
	...Sight[],
]): string => {
	const words = kind === 'failed' ? `failed, ${cut(text)}` : text;
	const often = again.length === 0 ? '' : ` (${again.length + 1} times)`;
	return `${isTrue ? '' : 'FALSE: '}${after} s ${words}${often}`;
};

/** Returns the headline of a sight, without the service's own words. */
const cut = (text: string): string => text.split(/[:;]/)[0]?.trim() ?? text;
