import {itemOf} from '../../state/select.ts';
import {type Context, type HunksPlace, type View, withNotice} from './view.ts';

/** Returns the view once the person's editor has given the terminal back: at what they made, be it of use or not. */
export const edited = ({model, view}: Context, trouble: string | undefined): View => {
	const {place} = view;
	if (place.at === 'hunks') {
		return editedHunks({model, view}, place, trouble);
	}

	if (place.at !== 'item') {
		return view;
	}

	const seen: View = {
		...view,
		place: {...place, shows: 'outcome', cursor: undefined},
		looks: view.looks + 1,
		scroll: 0,
	};
	if (itemOf(model.state, place.item) === undefined) {
		return withNotice(
			seen,
			'warn',
			`${place.item} is gone meanwhile; your file stays in its folder.`,
		);
	}

	return trouble === undefined
		? withNotice(seen, 'info', 'Your editor has closed. This is what "done" would take.')
		: withNotice(seen, 'bad', `${trouble} The file is as it was left.`);
};

/** Hunks are read again: what was written may have changed them. */
const editedHunks = (
	{model, view}: Pick<Context, 'model' | 'view'>,
	{item}: HunksPlace,
	trouble: string | undefined,
): View => {
	const seen: View = {...view, looks: view.looks + 1};
	if (itemOf(model.state, item) === undefined) {
		return withNotice(seen, 'warn', `${item} is gone meanwhile; your file stays in its folder.`);
	}

	return trouble === undefined
		? withNotice(seen, 'info', 'It has closed. This is how the file stands now.')
		: withNotice(seen, 'bad', trouble);
};
