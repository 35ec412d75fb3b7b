import {Box} from 'ink';
import {type Action, actionsHere} from '../action.ts';
import {keySign} from '../key-name.ts';
import {type Row, type Span, span} from '../rows/row.ts';
import {widthOf} from '../rows/text.ts';
import type {Context} from '../view/view.ts';
import {Line} from './line.tsx';

/** The last row: the keys that matter here, greyed when they can't be used now. */
export const Footer = ({context}: {readonly context: Context}) => (
	<Box height={1} overflow="hidden" flexShrink={0}>
		<Line row={footerRow(context)} />
	</Box>
);

const footerRow = (context: Context): Row => {
	const {columns} = context.view.size;
	const labelled = actionsHere(context).filter(({label}) => label !== undefined);
	const last = labelled.filter(({name}) => name === 'keys' || name === 'leave');
	const room = columns - widthOf(textOf(last.flatMap(action => spansOf(context, action))));
	const first: Span[] = [];
	for (const action of labelled.filter(action => !last.includes(action) && !isListed(action))) {
		const spans = spansOf(context, action);
		if (widthOf(textOf([...first, ...spans])) > room) {
			break;
		}

		first.push(...spans);
	}

	return [...first, ...last.flatMap(action => spansOf(context, action))];
};

/** The verbs of an item stand beside its choices already. */
const isListed = ({name, where, label}: Action): boolean => where[0] === 'item' && label === name;

const spansOf = (context: Context, {keys, label, whyNot}: Action): readonly Span[] => {
	const can = whyNot?.(context) === undefined;
	return [span(` ${keySign(keys[0] ?? '')} `, can ? 'key' : 'dim'), span(`${label} `, 'dim')];
};

const textOf = (spans: readonly Span[]): string => spans.map(({text}) => text).join('');
