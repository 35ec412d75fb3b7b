import {supervisionChoices, supervisionLevels} from '../../events/supervision.ts';
import {printTable} from '../../lib/text/markdown-table.ts';
import {answerTo, type PolicyKind, policy} from '../../rules/effects/policy.ts';

/** Returns a table of the policy's answers at each level of supervision, and the answers that a plan may set. */
export const policyTable = (): string =>
	printTable([
		['what happens', 'supervised', 'semi-autonomous', 'a plan may say'],
		...(Object.keys(policy) as PolicyKind[]).map(kind => [
			policy[kind].what,
			answerTo(kind, supervisionLevels.supervised),
			answerTo(kind, supervisionLevels['semi-autonomous']),
			kind in supervisionChoices
				? `\`${kind}: ${supervisionChoices[kind as keyof typeof supervisionChoices].join('` or `')}\``
				: '',
		]),
	]).trimEnd();

export const policyText = (): string =>
	`How an agent is supervised: \`supervision\` in a plan, for all agents or for one, names one of the two
levels, or sets it kind by kind: \`supervision: {checkpoint: go, scope: stop}\`. An agent’s own setting
comes first, then the plan’s, then \`supervision\` of your config. The other kinds can’t be changed.

${policyTable()}`;
