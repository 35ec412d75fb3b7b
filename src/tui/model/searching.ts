import type {Dialog, View} from './view.ts';

/** The view of a person who writes words to look for. */
export type Prompted = View & {readonly dialog: Extract<Dialog, {kind: 'search' | 'palette'}>};

/** Returns whether somebody writes words to look for, in the row of the notice. */
export const hasPrompt = (view: View): view is Prompted =>
	view.dialog.kind === 'search' || view.dialog.kind === 'palette';

/** Returns the words that stand out in what is on the screen: as they are being written, else as they were. */
export const wordsToMark = ({dialog, find}: View): string =>
	dialog.kind === 'search' && dialog.does === 'find'
		? firstLine(dialog.draft.text)
		: find.row === undefined
			? ''
			: find.words;

/** Returns the words that alone are shown of a list, likewise. */
export const filterOf = ({dialog, filters, place}: View): string =>
	dialog.kind === 'search' && dialog.does === 'filter'
		? firstLine(dialog.draft.text).trim()
		: (filters[place.at] ?? '');

/** Returns the view without words that are looked for, else without those that alone are shown; nothing where there are neither. */
export const withoutWords = (view: View): View | undefined => {
	const {find, filters, place} = view;
	return find.row !== undefined
		? {...view, find: {words: find.words}}
		: filters[place.at]
			? {...view, scroll: 0, filters: {...filters, [place.at]: ''}}
			: undefined;
};

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
