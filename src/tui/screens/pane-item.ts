import type {Model} from '../../client/model.ts';
import {counted} from '../../lib/text/words.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {Item} from '../../state/item.ts';
import {openInGroup, optionsOf} from '../../state/items/question/answer.ts';
import {kindOf} from '../../state/items.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {waitingItem} from '../formatting/agent-look.ts';
import {countSpans, totalOf} from '../rows/listed-files.ts';
import {quoted} from '../rows/quoted.ts';
import {cutRow, type Row, row, span} from '../rows/row.ts';
import {mostListed, treeRows} from './file-tree.ts';
import {missingFiles} from './items/work/claims.ts';
import {filesOfWork, marksOfWork} from './items/work/work.ts';

/** Returns the item that an agent waits with, for its pane: the question with its options, or the files of its work, in at most `height` rows. */
export const paneItemRows = (
	model: Model,
	item: Item,
	{columns, height, isFocused}: {columns: number; height: number; isFocused: boolean},
): readonly Row[] => {
	const said = quoted(kindOf(item).title(model.state, item), columns - 2);
	if (item.kind === 'question') {
		const options = optionRows(model, item, isFocused);
		const asked = said.slice(0, Math.max(1, height - options.length));
		const room = Math.max(1, height - asked.length);
		const left = options.length - room;
		const shown =
			left <= 0 ? options : [...options.slice(0, room - 1), row(`… and ${left + 1} more`, 'dim')];
		return [...asked, ...shown].slice(0, height).map(cells => inPane(cells, columns));
	}

	const agent = 'agent' in item && hasWork(item) ? item.agent : '';
	const files = filesOfWork(model, agent) ?? [];
	const room = {columns: columns - 2, height: height - Math.min(said.length, 2) - 1};
	const news = {
		marks: marksOfWork(model.state, agent),
		missing: missingFiles(agentOf(model.state, agent)),
		isClaimed: () => true,
	};
	const listed =
		files.length > mostListed ? treeRows(files, news, room) : fileRows(files, room.height);
	const work = files.length === 0 ? [] : [row(totalOf(files), 'info'), ...listed];
	return [...said.slice(0, work.length === 0 ? height : 2), ...work]
		.slice(0, height)
		.map(cells => inPane(cells, columns));
};

const inPane = (cells: Row, columns: number): Row => cutRow([span('  '), ...cells], columns);

/** Returns whether the pane of an agent lists the files of its work. */
export const waitsWithWork = (state: State, agent: Agent): boolean => {
	const item = waitingItem(state, agent);
	return item !== undefined && hasWork(item);
};

/** Returns whether an item is decided by changes. */
const hasWork = ({kind}: Item): boolean =>
	kind === 'review' || kind === 'checkpoint' || kind === 'failure' || kind === 'limit';

/** Returns the options of a question; only the focused pane has number keys. */
const optionRows = (
	{state}: Model,
	item: Extract<Item, {kind: 'question'}>,
	isFocused: boolean,
): readonly Row[] => {
	const more = openInGroup(state, item).length - 1;
	return [
		...optionsOf(item.question).map(
			(option, index): Row => [
				span(isFocused && index < 9 ? `${index + 1}  ` : '•  ', isFocused ? 'key' : 'dim'),
				span(option, 'strong'),
			],
		),
		...(more > 0 ? [row(`and ${counted(more, 'more question')}`, 'dim')] : []),
	];
};

const fileRows = (files: readonly ListedFile[], height: number): readonly Row[] => {
	const room = files.length <= height ? files.length : Math.max(0, height - 1);
	const left = files.length - room;
	return [
		...files.slice(0, room).map((file): Row => [...countSpans(file), span(file.path)]),
		...(left > 0 && room > 0 ? [row(`  and ${counted(left, 'more file')}`, 'dim')] : []),
	];
};
