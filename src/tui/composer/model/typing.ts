import type {Draft} from '../../model/draft.ts';
import {textOf, withText} from './composition.ts';
import {fieldAt, goTo, writeHere} from './moves.ts';
import type {View} from './view.ts';

/** What is written in a field is in the plan at once. Where up or down leads out of a field, it leads to the next one. */
export const edited = (view: View, draft: Draft, key = ''): View => {
	const {dialog, composition} = view;
	if (dialog.kind === 'path') {
		return {...view, dialog: {...dialog, draft: onOneLine(draft)}};
	}

	if (dialog.kind !== 'writing') {
		return view;
	}

	if ((key === 'up' || key === 'down') && draft.at === dialog.draft.at) {
		return writeHere(goTo(view, view.cursor + (key === 'up' ? -1 : 1)));
	}

	const field = fieldAt(view);
	return {
		...view,
		composition:
			draft.text === textOf(composition, field)
				? composition
				: withText(composition, field, draft.text),
		dialog: {kind: 'writing', draft},
	};
};

/** What is pasted as a path often ends with a line end. */
const onOneLine = ({text, at}: Draft): Draft => ({
	text: text.replaceAll('\n', ''),
	at: text.slice(0, at).replaceAll('\n', '').length,
});
