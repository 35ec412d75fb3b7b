import type {Action} from '../action.ts';
import {type Row, type Span, span, widthOfRow} from '../rows/row.ts';
import {keySign} from '../terminal/key-name.ts';
import {Rows} from './rows.tsx';

type Shown<Known> = Pick<Action<Known>, 'name' | 'keys' | 'label' | 'whyNot'>;

export type KeyBarProps<Known> = {
	readonly context: Known;
	/** What can be done here, what matters most first. */
	readonly actions: readonly Shown<Known>[];
	readonly columns: number;
};

/** A row of keys with what they do, greyed when they can't be used now; the two that lead out are always in it. */
export const KeyBar = <Known,>({context, actions, columns}: KeyBarProps<Known>) => (
	<Rows rows={[keyRow(context, actions, columns)]} height={1} />
);

const keyRow = <Known,>(context: Known, actions: readonly Shown<Known>[], columns: number): Row => {
	const labelled = actions.filter(({label}) => label !== undefined);
	const last = labelled.filter(({name}) => name === 'keys' || name === 'leave');
	const room = columns - widthOfRow(last.flatMap(action => spansOf(context, action)));
	const first: Span[] = [];
	for (const action of labelled.filter(action => !last.includes(action))) {
		const spans = spansOf(context, action);
		if (widthOfRow([...first, ...spans]) > room) {
			break;
		}

		first.push(...spans);
	}

	return [...first, ...last.flatMap(action => spansOf(context, action))];
};

const spansOf = <Known,>(context: Known, {keys, label, whyNot}: Shown<Known>): readonly Span[] => {
	const can = whyNot?.(context) === undefined;
	return [span(` ${keySign(keys[0] ?? '')} `, can ? 'key' : 'dim'), span(`${label} `, 'dim')];
};
