import {keyOf} from '../../action.ts';
import {labels} from '../plan/field-words.ts';
import {missingFields} from '../plan/missing.ts';
import {fieldsOf} from './composition.ts';
import type {Field} from './field.ts';
import {goTo} from './moves.ts';
import {type Context, type Outcome, only, withNotice} from './view.ts';

/** Goes to what is missed, with the reason, before anything can be started; to each field once, and nowhere when all were asked for. */
export const askForMissing = (context: Context): Outcome | undefined => {
	const {view} = context;
	const missing = missingFields(view.composition).find(
		({field}) => !view.asked.includes(nameOf(field)),
	);
	if (missing === undefined) {
		return undefined;
	}

	const {field, why} = missing;
	const asked = [...view.asked, nameOf(field)];
	const cursor = fieldsOf(view.composition).findIndex(other => nameOf(other) === nameOf(field));
	const again = keyOf(context, runNames[context.desk.purpose]);
	return only(
		withNotice(
			goTo({...view, asked}, cursor),
			'warn',
			`Nothing stands in "${labels[field.part]}", so ${why}. Enter writes it; ${again} goes on without.`,
		),
	);
};

/** What the plan is handed over by. */
const runNames = {start: 'run-plan', edit: 'hand-in-plan', add: 'hand-in-subtask'} as const;

/** Names a field, also when others come before it. */
const nameOf = ({part, agent}: Field): string => (agent === undefined ? part : `${part} ${agent}`);
