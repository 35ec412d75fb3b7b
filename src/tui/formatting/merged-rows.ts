import type {Model} from '../../client/model.ts';
import {keyText} from '../../client/resources/resources.ts';
import {counted} from '../../lib/text/counted.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import {elapsedMs} from '../../lib/time.ts';
import type {Verified} from '../../state/merge/merge.ts';
import type {Publication} from '../../state/merge/publication.ts';
import {listedFiles, totalOf} from '../rows/listed-files.ts';
import {cutRow, type Row, type Span, span} from '../rows/row.ts';
import {filesKey, resultKey} from '../screens/items/work/work.ts';

/** Returns what was merged in the end; nothing as long as nothing is. */
export const mergedOf = ({state}: Pick<Model, 'state'>): Publication | undefined =>
	state.session?.ended === undefined ? undefined : state.publications.at(-1);

/** Returns the commit that was merged, and whether that still stands. */
export const mergedSpan = ({phase, built}: Publication): Span =>
	phase === 'undone'
		? span(`– ${shortOid(built.commit)} taken back`, 'warn')
		: span(`✔ ${shortOid(built.commit)}`, 'good');

/** Returns whose work was merged, how much it is, what its check said, and how long all of it took, in a row each. */
export const mergedRows = (
	model: Model,
	{built, verified}: Publication,
	columns: number,
): readonly Row[] => {
	const {session} = model.state;
	const tookMs = session?.ended ? elapsedMs(session.startedAt, session.ended.at) : 0;
	return [
		labelled('Work of', span(built.agents.join(', '), 'strong')),
		labelled('Files', span(filesText(model, built.files))),
		labelled('Check', checkSpan(verified, built.tree)),
		labelled('Took', span(formatDuration(tookMs))),
	].map(row => cutRow(row, columns));
};

const labelled = (label: string, text: Span): Row => [span(`  ${label.padEnd(9)}`, 'dim'), text];

/** Lines are told only by a list that was read before: nobody answers for one any more. */
const filesText = ({resources, state}: Model, files: number): string => {
	const key = filesKey(resultKey(state));
	const resource = key && resources[keyText(key)];
	const listed = resource && listedFiles(resource);
	return listed === undefined ? counted(files, 'file') : totalOf(listed);
};

const checkSpan = ({ok, commands}: Verified, tree: string): Span => {
	const told = commands.map(({command}) => command).join(', ');
	if (commands.length === 0) {
		return span('none; the plan has no verify command', 'warn');
	}

	const of = `on tree ${shortOid(tree)}`;
	return ok ? span(`passed ${of}: ${told}`, 'good') : span(`FAILED ${of}: ${told}`, 'bad');
};
