import {itemOf} from '../../state/select.ts';
import {type Context, showing, type View, withNotice} from './view.ts';

/** Returns the view once the person's editor has given the terminal back: at what they made, be it of use or not. Hunks are read again, since what was written may have changed them. */
export const edited = ({model, view}: Context, trouble: string | undefined): View => {
	const {place} = view;
	if (place.at !== 'hunks' && place.at !== 'item') {
		return view;
	}

	const looks = view.looks + 1;
	const [seen, closed, left]: readonly [View, string, string] =
		place.at === 'hunks'
			? [{...view, looks}, 'It has closed. This is how the file stands now.', '']
			: [
					{...showing(view, {shows: 'outcome', cursor: undefined}), looks},
					'Your editor has closed. This is what "done" would take.',
					' The file is as it was left.',
				];
	if (itemOf(model.state, place.item) === undefined) {
		const gone = `${place.item} is gone meanwhile; your file stays in its folder.`;
		return withNotice(seen, 'warn', gone);
	}

	return trouble === undefined
		? withNotice(seen, 'info', closed)
		: withNotice(seen, 'bad', `${trouble}${left}`);
};
