import {type Action, offeredHere} from '../action.ts';
import type {Context} from '../model/view.ts';
import {KeyBar} from './key-bar.tsx';

/** The last row: the keys that matter here. */
export const Footer = ({context}: {readonly context: Context}) => (
	<KeyBar
		context={context}
		actions={offeredHere(context).filter(action => !isListed(action))}
		columns={context.view.size.columns}
	/>
);

/** The verbs of an item stand beside its choices already. */
const isListed = ({name, where, label}: Action): boolean => where[0] === 'item' && label === name;
