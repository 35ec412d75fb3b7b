import type {Dialog, View} from './view.ts';

/** The view while a person writes search words. */
export type Prompted = View & {readonly dialog: Extract<Dialog, {kind: 'search' | 'palette'}>};

/** Returns whether search words are being written, in the row of the notice. */
export const hasPrompt = (view: View): view is Prompted =>
	view.dialog.kind === 'search' || view.dialog.kind === 'palette';

/** Returns the words to highlight: those being written, or otherwise the last ones. */
export const wordsToMark = ({dialog, find}: View): string =>
	dialog.kind === 'search' && dialog.does === 'find'
		? firstLine(dialog.draft.text)
		: find.row === undefined
			? ''
			: find.words;

/** Returns the words that filter a list: those being written, or otherwise the last ones. */
export const filterOf = ({dialog, filters, place}: View): string =>
	dialog.kind === 'search' && dialog.does === 'filter'
		? firstLine(dialog.draft.text).trim()
		: (filters[place.at] ?? '');

/** Returns the view without the search, or otherwise without the filter; nothing if there is neither. */
export const withoutWords = (view: View): View | undefined => {
	const {find, filters, place} = view;
	return find.row !== undefined
		? {...view, find: {words: find.words}}
		: filters[place.at]
			? {...view, scroll: 0, filters: {...filters, [place.at]: ''}}
			: undefined;
};

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
