import type {Model} from '../../../client/model.ts';
import {counted} from '../../../lib/text/counted.ts';
import {type Agent, mostViolations, type Snapshot} from '../../../state/agent/agent.ts';
import {lastSnapshot} from '../../../state/select.ts';
import type {DiffFile} from '../../rows/diff.ts';
import {totalOf} from '../../rows/diff-rows.ts';
import {bullets, type Row, section, span, type Tone} from '../../rows/row.ts';
import {padded, wrapped} from '../../rows/text.ts';
import {wrapRow} from '../../rows/wrap-row.ts';
import {filesOfWork} from './work.ts';

/** What an agent says and what was found, one beside the other. */
export type Claimed = {
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

/** Returns what was found of an agent's files, in one line. */
export const foundFiles = (model: Model, agent: Agent): string => {
	const files = filesOfWork(model, agent.id);
	if (files === undefined) {
		return `${counted(lastSnapshot(agent)?.files ?? 0, 'file')} in its scope`;
	}

	return files.length === 0 ? 'nothing' : totalOf(files);
};

/** Returns each file that was claimed or found, and which of both; what was said at a checkpoint before need not be said again. */
export const fileRows = (
	said: readonly {readonly file: string; readonly description?: string | undefined}[],
	found: readonly DiffFile[] | undefined,
	columns: number,
	{
		missing = [],
		earlier = [],
	}: {readonly missing?: readonly string[]; readonly earlier?: readonly string[]} = {},
): readonly Row[] => {
	if (found === undefined) {
		return bullets(
			said.map(({file}) => file),
			columns,
		);
	}

	const isFound = (path: string) => found.some(file => file.path === path);
	const unsaid = found.filter(({path}) => said.every(({file}) => file !== path));
	const rows = [
		...said.map(
			({file, description = ''}): Row =>
				isFound(file)
					? [span('✓ ', 'good'), span(file), span(`  ${description}`, 'dim')]
					: [
							span('✗ ', 'bad'),
							span(file),
							span(`  said, but ${missing.includes(file) ? 'not there' : 'not changed'}`, 'bad'),
						],
		),
		...unsaid.map(
			({path}): Row =>
				earlier.includes(path)
					? [span('✓ ', 'good'), span(path), span('  said at a checkpoint before', 'dim')]
					: [
							span('+ ', 'info'),
							span(path),
							span(said.length === 0 ? '' : '  changed, but not said', 'info'),
						],
		),
	];
	return rows.flatMap(cells => wrapRow(cells, columns));
};

/** Returns what was put back because it lay outside the scope, and what was refused and never happened. */
export const outsideRows = (
	agent: Agent,
	snapshot: Snapshot | undefined,
	columns: number,
): readonly Row[] => {
	const pathsOf = (wanted: boolean): readonly string[] =>
		agent.violations.filter(({refused}) => refused === wanted).map(({path}) => path);
	const stuck = snapshot?.stuck ?? [];
	const isStuck = new Set(stuck);
	const left = new Set([...pathsOf(false), ...(snapshot?.outside ?? [])]);
	const putBack = [...left].filter(path => !isStuck.has(path));
	return [
		...section(
			'Out of scope and can’t be reverted (saved as a patch, too; not in the result)',
			bullets(stuck, columns, 'warn'),
		),
		...section('Out of scope: reverted, saved as a patch', bullets(putBack, columns, 'warn')),
		...section('Out of scope: blocked, never happened', bullets(pathsOf(true), columns, 'warn')),
		...(agent.violations.length < mostViolations
			? []
			: [[span('There may be more of this: delegate-tui log has all of it.', 'warn')]]),
	];
};
