import type {Model} from '../../../../client/model.ts';
import {notesBlock} from '../../../../client/texts/describe.ts';
import {testsSaid} from '../../../../client/texts/reported-text.ts';
import type {Claim, WrongClaim} from '../../../../events/event.ts';
import {counted, valueText} from '../../../../lib/text/words.ts';
import {oncePer} from '../../../../lib/values.ts';
import {dueCheck} from '../../../../rules/effects/merging.ts';
import type {InboxItem} from '../../../../rules/inbox.ts';
import type {ListedFile} from '../../../../rules/listed-file.ts';
import {type Agent, lastSnapshot, mostViolations} from '../../../../state/agent/agent.ts';
import {measuredBy} from '../../../../state/agent/awaiting.ts';
import {claimed, readDeliverable} from '../../../../state/agent/claimed.ts';
import {checkOfWork, checkText} from '../../../../state/agent/compared.ts';
import {criteriaOf, criterionText} from '../../../../state/agent/criteria.ts';
import {respondedBy} from '../../../../state/agent/updates.ts';
import {violationsOf} from '../../../../state/agent/violations.ts';
import type {State} from '../../../../state/state.ts';
import {violationsText} from '../../../formatting/agent-look.ts';
import {blockRows} from '../../../rows/block-rows.ts';
import {totalOf} from '../../../rows/listed-files.ts';
import {bullets, type Row, section, span, type Tone} from '../../../rows/row.ts';
import {padded, wrapped} from '../../../rows/text.ts';
import {wrapRow} from '../../../rows/wrap-row.ts';
import {type MissingFile, mostListed} from '../../file-tree.ts';
import {filesOfWork} from './work.ts';

/** An agent's claim beside the finding. */
type Claimed = {
	readonly about: string;
	readonly says: string;
	readonly found: string;
	readonly tone: Tone;
};

const labelColumns = 12;

/** Returns a table of claims; a difference is a reason to look closer, not a verdict. */
export const claimsTable = (claims: readonly Claimed[], columns: number): readonly Row[] => {
	const half = Math.floor((columns - labelColumns) / 2);
	return section('What it says, and what was found', [
		[
			span(padded('', labelColumns)),
			span(padded('the agent says', half), 'dim'),
			span(padded('what was found', half), 'dim'),
		],
		...claims.flatMap(claim => claimRows(claim, half)),
	]);
};

const claimRows = ({about, says, found, tone}: Claimed, half: number): readonly Row[] => {
	const [said, seen] = [wrapped(says, half - 1), wrapped(found, half - 1)];
	return Array.from(
		{length: Math.max(said.length, seen.length)},
		(_, index): Row => [
			span(padded(index === 0 ? about : '', labelColumns), 'dim'),
			span(padded(said[index] ?? '', half)),
			span(padded(seen[index] ?? '', half), tone),
		],
	);
};

/** Returns the facts about an agent's files, in one line. */
export const foundFiles = (model: Model, agent: Agent): string => {
	const files = filesOfWork(model, agent.id);
	if (files === undefined) {
		return `${counted(lastSnapshot(agent)?.files ?? 0, 'file')} in its scope`;
	}

	return files.length === 0 ? 'nothing' : totalOf(files);
};

/** Returns each claimed or found file, and whether it is both; a claim at an earlier checkpoint counts, too. */
export const fileRows = (
	said: readonly {readonly file: string; readonly description?: string | undefined}[],
	found: readonly ListedFile[] | undefined,
	columns: number,
	{
		claims,
		earlier,
		fresh,
	}: {
		readonly claims: readonly Claim[];
		readonly earlier: readonly string[];
		/** Found files that changed since the checkpoint before, if there was one. */
		readonly fresh?: readonly ListedFile[] | undefined;
	},
): readonly Row[] => {
	if (found === undefined) {
		return bullets(
			said.map(({file}) => file),
			columns,
		);
	}

	const paths = new Set(found.flatMap(({path, from = path}) => [path, from]));
	const isFound = (name: string) =>
		paths.has(relative(name)) || (name.startsWith('/') && [...paths].some(isMeantBy([name])));
	const isSaid = isMeantBy(said.map(({file}) => file));
	const unsaid = found.filter(({path}) => !isSaid(path));
	const [before, now] = [new Set(earlier), new Set(fresh?.map(({path}) => path))];
	const tellingOf = ({path}: ListedFile): Unsaid =>
		before.has(path) && !now.has(path)
			? 'before'
			: said.length === 0
				? 'nothing'
				: fresh === undefined || now.has(path)
					? 'now'
					: 'changed before';
	const rows = [
		...said.map(
			({file, description = ''}): Row =>
				isFound(file)
					? [span('✓ ', 'good'), span(file), span(`  ${description}`, 'dim')]
					: unfoundRow(claims, file),
		),
		...(found.length > mostListed
			? [...Map.groupBy(unsaid, tellingOf)].map(([telling, [only, ...more]]) =>
					more.length === 0
						? unsaidRow(only?.path, telling)
						: unsaidRow(
								`${counted(more.length + 1, 'file')}${telling === 'nothing' ? ' changed' : ''}`,
								telling,
							),
				)
			: unsaid.map(file => unsaidRow(file.path, tellingOf(file)))),
	];
	return rows.flatMap(cells => wrapRow(cells, columns));
};

/** The agent's earlier reports of a changed file that its current report doesn't name. */
type Unsaid = keyof typeof unsaidTexts;

const unsaidTexts = {
	before: 'said at a checkpoint before',
	nothing: '',
	now: 'changed, but not said',
	'changed before': 'changed before its last checkpoint',
} as const;

const unsaidRow = (files: string | undefined, telling: Unsaid): Row =>
	telling === 'before'
		? [span('✓ ', 'good'), span(files ?? ''), span(`  ${unsaidTexts[telling]}`, 'dim')]
		: [span('+ ', 'info'), span(files ?? ''), span(`  ${unsaidTexts[telling]}`, 'info')];

/** Returns a function that tells whether an agent named a file as changed; for an agent that names none, all files count. */
export const claimedBy = (agent: Agent | undefined): ((path: string) => boolean) =>
	agent === undefined ? () => true : claimedByAgent(agent);

const claimedByAgent = oncePer((agent: Agent): ((path: string) => boolean) => {
	const said = [...filesSaid(agent).map(({file}) => file), ...agent.updates.files];
	return said.length === 0 ? () => true : isMeantBy(said);
});

/** Returns the files that an agent named wrongly, with what git found. */
export const missingFiles = (agent: Agent | undefined): readonly MissingFile[] =>
	((agent && lastSnapshot(agent)?.claims) ?? []).flatMap(claim =>
		claim.holds || claim.found === 'passed' || claim.found === 'failed'
			? []
			: [{path: relative(claim.claim), found: foundText(claim)}],
	);

/** Returns a function that tells whether one of an agent's names means a path: relative to its folder, or absolute. */
const isMeantBy = (names: readonly string[]): ((path: string) => boolean) => {
	const known = new Set(names.map(relative));
	const absolute = names.filter(name => name.startsWith('/'));
	return path => known.has(path) || absolute.some(name => name.endsWith(`/${path}`));
};

const relative = (name: string): string => name.replace(/^(?:\.\/)+/, '');

/** Returns the row of a claimed file that is in no diff: it may exist already, or be no file. */
const unfoundRow = (claims: readonly Claim[], file: string): Row => {
	const claim = claims.find(one => one.claim === file);
	if (claim === undefined) {
		return [span('· ', 'dim'), span(file), span('  not looked for', 'dim')];
	}

	return claim.holds
		? [span('✓ ', 'good'), span(file), span('  there, and not changed', 'dim')]
		: [span('✗ ', 'bad'), span(file), span(`  said, but ${foundText(claim)}`, 'bad')];
};

const foundText = (claim: WrongClaim): string => {
	const found: WrongClaim['found'] | undefined = claim.found;
	switch (found) {
		case 'reverted':
			return 'reverted: out of its scope';
		case 'missing':
			return 'not there';
		case 'unchanged':
		case 'failed':
		case 'passed':
			return 'not changed';
		// An event of an earlier version has no finding.
		case undefined:
			return 'not there';
	}
};

/** Returns the notes to read before anything is accepted, which are above everything else. */
export const noteRows = (shown: InboxItem, columns: number): readonly Row[] =>
	blockRows('notes' in shown ? [notesBlock(shown)] : [], columns);

/** Returns changes outside the scope that were reverted, and those that were refused. */
export const outsideRows = (agent: Agent, columns: number): readonly Row[] => {
	const {reverted, stuck, blocked} = violationsOf(agent);
	return [
		...section(
			'Out of scope and can’t be reverted (saved as a patch, too; not in the result)',
			bullets(stuck, columns, 'warn'),
		),
		...section('Out of scope: reverted, saved as a patch', bullets(reverted, columns, 'warn')),
		...section('Out of scope: blocked, never happened', bullets(blocked, columns, 'warn')),
		...(agent.violations.length < mostViolations
			? []
			: [[span('There may be more of this: delegate-tui log has all of it.', 'warn')]]),
	];
};

/** Returns an agent's claims about its work as a whole, beside the findings. */
export const workClaims = (model: Model, agent: Agent): readonly Claimed[] => {
	const {report} = agent;
	const measured = measuredBy(agent);
	const count = filesSaid(agent).length;
	return [
		{
			about: 'Files',
			says: report === undefined ? filesSaidText(count) : counted(count, 'deliverable'),
			found: foundFiles(model, agent),
			tone: (lastSnapshot(agent)?.claims ?? []).every(({holds}) => holds) ? 'good' : 'warn',
		},
		...violationClaim(violationsText(agent)),
		...(hasTests(model.state, agent) ? [testsClaim(model.state, agent)] : []),
		...(measured === null
			? []
			: [{about: 'Metrics', says: valueText(measured), found: '–', tone: 'plain'} as const]),
	];
};

/** Words how many files an agent named; one that named none has said nothing about files. */
export const filesSaidText = (count: number): string =>
	count === 0 ? '–' : counted(count, 'file');

/** Returns the violations for the table at the top; they are listed in full further down. */
const violationClaim = (violations: string): readonly Claimed[] =>
	violations === '' ? [] : [{about: 'Scope', says: '–', found: violations, tone: 'warn'}];

const hasTests = ({session}: State, {updates}: Agent): boolean =>
	updates.checkpoint?.tests !== undefined || (session?.plan.verify ?? []).length > 0;

/** Returns an agent's claim about its tests, beside the plan's checks of exactly its work. */
export const testsClaim = (state: State, agent: Agent): Claimed => {
	const check = checkOfWork(agent);
	const isRunning = dueCheck(state, agent) !== undefined;
	return {
		about: 'Tests',
		says: testsSaid(agent.updates.checkpoint?.tests) ?? '–',
		found: isRunning ? 'being run' : checkText(check),
		tone: isRunning || check === undefined ? 'dim' : check.ok ? 'good' : 'bad',
	};
};

/** Returns the criteria of an agent's work, and the files that it names beside those that it changed. */
export const workRows = (model: Model, agent: Agent, columns: number): readonly Row[] => [
	...section('Measured by', bullets(criteriaOf(agent).map(criterionText), columns)),
	...section(
		'Files',
		fileRows(filesSaid(agent), filesOfWork(model, agent.id), columns, {
			claims: lastSnapshot(agent)?.claims ?? [],
			earlier: agent.updates.files,
		}),
	),
];

type FileSaid = {readonly file: string; readonly description?: string | undefined};

const filesSaid = (agent: Agent): readonly FileSaid[] => {
	const {report, response, updates} = agent;
	if (report !== undefined) {
		return report.deliverables.map(said => {
			const {path = said, description} = readDeliverable(said);
			return {file: path, description};
		});
	}

	return updates.checkpoint === undefined || respondedBy(response) !== undefined
		? claimed(agent).map(({path}) => ({file: path}))
		: updates.checkpoint.changes;
};
