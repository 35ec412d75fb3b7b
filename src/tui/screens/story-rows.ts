import type {Diff, Passage, PlanEntry, ToolUse} from '../../client/activity/account.ts';
import type {Model} from '../../client/model.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import {counted} from '../../lib/text/words.ts';
import {oncePer} from '../../lib/values.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {presenceOf} from '../formatting/agent-look.ts';
import {cardRows} from '../formatting/said-card.ts';
import {
	endOfSaid,
	type Presence,
	progressIn,
	toldDiff,
	toolName,
	toolRow,
} from '../formatting/spoken.ts';
import {firstRows} from '../rows/diff-rows.ts';
import {fact, paragraph, type Row, row, span, type Tone} from '../rows/row.ts';
import {wrapped} from '../rows/text.ts';

/** Returns an agent's transcript, as far as it is kept: its words, and between them its thoughts, plans and tool calls. */
export const storyRows = (model: Model, agent: Agent, columns: number): readonly Row[] => {
	const lines = (model.tails[agent.id] ?? []).map(withoutColors);
	const {passages} = model.activities[agent.id] ?? {passages: []};
	const presence = presenceOf(agent, model.now);
	const rows: Row[] = [];
	let next = 0;
	let folded = 0;
	for (let at = 0; at <= lines.length; at++) {
		for (let placed = passages[next]; placed && placed.before <= at; placed = passages[next]) {
			rows.push(...passageRows(placed.passage, presence, columns));
			next++;
		}

		const progress = progressIn(lines[at] ?? '');
		if (progress !== undefined) {
			const goesOn =
				progressIn(lines[at + 1] ?? '')?.phase === progress.phase &&
				passages[next]?.before !== at + 1;
			rows.push(...(goesOn ? [] : progressRows(progress.text, folded, columns)));
			folded = goesOn ? folded + 1 : 0;
			continue;
		}

		const end = endOfSaid(lines, at);
		const card =
			end === undefined ? undefined : cardRows(lines.slice(at, end + 1).join('\n'), columns);
		rows.push(...(card ?? lineRows(lines[at], columns)));
		at = card === undefined || end === undefined ? at : end;
	}

	return rows;
};

/** Wraps a line, since there is no horizontal scrolling. */
const lineRows = (line: string | undefined, columns: number): readonly Row[] => {
	if (line === undefined) {
		return [];
	}

	return line.length <= columns ? [row(line)] : paragraph(line, columns);
};

/** Returns the last of several reports of one phase's progress without anything between them, with the number of the others. */
const progressRows = (progress: string, before: number, columns: number): readonly Row[] =>
	fact('progress', `${progress}${before === 0 ? '' : `  and ${before} before`}`, columns, 'info');

const passageRows = (passage: Passage, presence: Presence, columns: number): readonly Row[] => {
	switch (passage.kind) {
		case 'thought':
			return fact('thinks', passage.text.trim(), columns, 'dim');
		case 'plan':
			return passage.entries.flatMap((entry, index) => planRows(entry, index, columns));
		case 'tool':
			return toolRows(passage, presence, columns);
		case 'refusal':
			return fact('refused', passage.title, columns, 'warn');
		case 'trouble':
			return fact('it was told', passage.text.trim(), columns, 'warn');
		case 'retrying':
			return fact('tries its model again', passage.why, columns, 'warn');
		case 'unmet':
			return fact('not as planned', passage.what, columns, 'warn');
		case 'introduction':
			return [row(`${passage.name} ${passage.version}`, 'dim')];
	}
};

const planLooks: Readonly<Record<string, readonly [string, Tone]>> = {
	completed: ['✓', 'good'],
	in_progress: ['●', 'info'],
};

const planRows = (entry: PlanEntry, index: number, columns: number): readonly Row[] => {
	const [sign, tone] = planLooks[entry.status] ?? ['·', 'dim'];
	return fact(index === 0 ? 'plans' : ' ', `${sign} ${entry.content}`, columns, tone);
};

const toolRows = (tool: ToolUse, presence: Presence, columns: number): readonly Row[] => [
	toolRow(tool, presence),
	...(tool.command === undefined || toolName(tool).includes(tool.command)
		? []
		: wrapped(`$ ${tool.command}`, columns - 2).map(part => [span('  '), span(part, 'dim')])),
	...tool.diffs.flatMap(diff => changeRows(diff)),
];

/** Maximum lines of one change; the work's own view shows all of it. */
const maximumLines = 8;

const changeRows = oncePer((diff: Diff): readonly Row[] => {
	const file = toldDiff(diff);
	const left = file.lines.length - maximumLines;
	return [
		...firstRows(file, maximumLines).map((changed): Row => [span('  '), ...changed]),
		...(left > 0 ? [row(`    … and ${counted(left, 'more line')}`, 'dim')] : []),
	];
});
