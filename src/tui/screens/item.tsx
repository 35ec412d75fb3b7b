import {Badge} from '@inkjs/ui';
import {Box} from 'ink';
import {whoAnsweredFirst} from '../../client/texts/item-text.ts';
import {Choices} from '../components/choices.tsx';
import {Line, Rows, Rule} from '../components/rows.tsx';
import {Writing} from '../components/writing.tsx';
import {questionRows} from '../formatting/choice-rows.ts';
import type {Context, ItemPlace} from '../model/view.ts';
import {blank, paragraph, type Row, row, span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {bodyOf, positionInBody} from './body.ts';
import {type ItemLayout, itemLayout, type ScreenProps} from './item-layout.ts';

type ItemViewProps = ScreenProps & {readonly place: ItemPlace};

/** One thing that waits for the person: what there is to know, and the ways to decide it. */
export const ItemView = ({context, place, height}: ItemViewProps) => {
	const {size} = context.view;
	const layout = itemLayout(context, place);
	if (layout === undefined) {
		return <Rows rows={goneRows(context, place.item)} height={height} />;
	}

	const body = bodyOf(context);
	const {beside, bodyHeight} = layout;
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Box height={1} overflow="hidden" flexShrink={0}>
				<Badge>{layout.shown.kind}</Badge>
				<Line row={titleRow(context, layout)} />
			</Box>
			<Rule columns={size.columns} />
			<Box height={bodyHeight} overflow="hidden" flexShrink={0}>
				{beside && <Rows rows={indented(beside.rows)} height={bodyHeight} width={beside.columns} />}
				<Rows
					rows={indented(body.rows.slice(body.offset, body.offset + bodyHeight))}
					height={bodyHeight}
					width={size.columns - (beside?.columns ?? 0)}
				/>
			</Box>
			<Rule columns={size.columns} right={positionInBody(body)} />
			<Bottom context={context} place={place} layout={layout} />
		</Box>
	);
};

const goneRows = ({model, view}: Context, id: string): readonly Row[] => [
	row(`${id} is gone`, 'strong'),
	blank,
	...paragraph(
		whoAnsweredFirst(model.questions, id) ??
			'It was decided, here or elsewhere, or what it was about is gone.',
		view.size.columns,
	),
	row('Esc goes back.', 'dim'),
];

const titleRow = ({model, view}: Context, {shown, item, changed}: ItemLayout): Row => {
	const {items} = model.state;
	const number = items.findIndex(({id}) => id === item.id) + 1;
	const about = `${shown.id} ${shown.agent ?? ''}`.trim();
	const position = `${number} of ${items.length}`;
	const room = view.size.columns - shown.kind.length - about.length - position.length - 8;
	return [
		span(` ${about}  `, 'strong'),
		changed ? span('has changed since you opened it  ', 'warn') : span(''),
		span(cut(shown.title, Math.max(8, room))),
		span(`  ${position}`, 'dim'),
	];
};

const indented = (rows: readonly Row[]): readonly Row[] => rows.map(cells => [span(' '), ...cells]);

type BottomProps = {
	readonly context: Context;
	readonly place: ItemPlace;
	readonly layout: ItemLayout;
};

const Bottom = ({context, place, layout}: BottomProps) => {
	const {dialog, size} = context.view;
	const height = layout.bottomHeight;
	if (dialog.kind === 'confirm') {
		return <Rows rows={questionRows(context, dialog)} height={height} />;
	}

	return dialog.kind === 'note' || dialog.kind === 'answer' ? (
		<Writing
			label={dialog.kind === 'note' ? `Your note, with "${dialog.choice}"` : 'Your answer'}
			draft={dialog.draft}
			columns={size.columns}
			height={height}
		/>
	) : (
		<Choices context={context} place={place} shown={layout.shown} height={height} />
	);
};
