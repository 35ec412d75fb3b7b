import type {Model} from '../../../client/model.ts';
import {shortOid} from '../../../lib/text/words.ts';
import type {InboxItem} from '../../../rules/inbox.ts';
import type {ListedFile} from '../../../rules/listed-file.ts';
import {criterionText} from '../../../state/agent/criteria.ts';
import type {ItemOf} from '../../../state/item.ts';
import {resultDetail} from '../../../state/items/work-detail.ts';
import {lookedText} from '../../../state/merge/attribution-text.ts';
import {authorsOf} from '../../../state/merge/members.ts';
import type {Built} from '../../../state/merge/merge.ts';
import {createsTarget} from '../../../state/merge/publication.ts';
import type {Marks} from '../../formatting/check-look.ts';
import {countSpans, remarkOn, totalOf} from '../../rows/listed-files.ts';
import {bullets, fact, paragraph, type Row, row, section, span} from '../../rows/row.ts';
import {wrapRow} from '../../rows/wrap-row.ts';
import {mostListed} from '../file-tree.ts';
import {commandRow} from './verify.ts';
import {noteRows} from './work/claims.ts';
import {filesIn, filesOfWork, marksOfResult, resultKey} from './work/work.ts';

/** Returns the exact result to be merged, its agents, and its check. */
export const approvalFacts = (
	model: Model,
	{commit, tree, tip, refused, doubted = []}: ItemOf<'approval'>,
	shown: InboxItem,
	columns: number,
): readonly Row[] => {
	const {merge, session} = model.state;
	if (merge.phase !== 'verified') {
		return [row('The result is being rebuilt.', 'dim')];
	}

	const {built, verified} = merge;
	const {message, outside = [], criteria = [], measured = []} = resultDetail(model.state);
	const marks = marksOfResult(model.state);
	const files = filesIn(model, resultKey(model.state));
	return [
		...section(
			'The last try was refused',
			refused === undefined ? [] : paragraph(`${refused.message} ${refused.hint}`, columns, 'bad'),
		),
		...noteRows(shown, columns),
		...section('What you approve', [
			...fact(
				'Merges into',
				createsTarget(model.state, tip)
					? `${session?.target}, which it creates at ${shortOid(tip)}`
					: `${session?.target ?? ''}, now at ${shortOid(tip)}`,
				columns,
				'strong',
			),
			...fact('Work of', built.agents.join(', '), columns),
			...fact('Files', files === undefined ? `${built.files}` : totalOf(files), columns),
			...fact('Exactly', `commit ${shortOid(commit)}, tree ${shortOid(tree)}`, columns),
		]),
		...section(
			'Its commit says',
			(message?.trimEnd().split('\n') ?? []).flatMap(line => paragraph(line, columns)),
		),
		...section(
			'Out of scope on the way: reverted, in no part of this',
			bullets(
				outside.map(({agent, path}) => `${agent}  ${path}`),
				columns,
				'warn',
			),
		),
		...section(
			'Nothing is merged yet: approve again to merge it anyway',
			bullets(doubted, columns, 'warn'),
		),
		...section('Check of exactly this result', [
			...(verified.commands.length === 0
				? [row('Not checked: the plan has no verify command.', 'warn')]
				: verified.commands.flatMap(command => wrapRow(commandRow(command), columns))),
			...lookedRows(built, columns),
		]),
		...section(
			'Done when',
			[...criteria.map(criterionText), ...measured.map(said => `measured by ${said}`)].flatMap(
				text => wrapRow([span(text)], columns),
			),
		),
		...section(
			'Files, and whose work they are',
			files === undefined || files.length > mostListed
				? []
				: files.flatMap(file => wrapRow(fileRow(model, file, {built, marks}), columns)),
		),
	];
};

/** Returns the comparison's rows: an empty comparison must not look like a missing one. */
const lookedRows = ({looked, accepted}: Built, columns: number): readonly Row[] => {
	const {text, done} = lookedText(looked, accepted?.length ?? 0);
	return paragraph(text, columns, done ? 'plain' : 'warn');
};

type FileParts = {
	readonly built: Built;
	readonly marks: Marks;
};

const fileRow = (model: Model, file: ListedFile, {built, marks}: FileParts): Row => {
	const {path} = file;
	const remark = remarkOn(file);
	const mark = marks.get(path);
	return [
		...countSpans(file),
		span(path, 'strong'),
		span(mark === undefined ? '' : `  ${mark}`, 'warn'),
		span(remark === undefined ? '' : `  ${remark}`, 'info'),
		span(`  ${authorsText(model, built, path)}`, 'dim'),
	];
};

/** Returns the agents of a file in a result. */
export const authorsText = (model: Model, {agents, leftOut = []}: Built, path: string): string => {
	const changedBy = agents.filter(id => filesOfWork(model, id)?.some(one => one.path === path));
	return authorsOf(leftOut, path, changedBy).join(', ');
};
