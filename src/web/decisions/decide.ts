import type {Ask} from '../../client/supervisor/asked.ts';
import {asFailure} from '../../lib/failure.ts';
import {omit} from '../../lib/omit.ts';
import {itemOf} from '../../state/select.ts';
import type {View} from '../page/view.ts';
import {type FormDecision, readForm} from './read-form.ts';
import {whyGoneHere} from './why-gone-here.ts';

/** What became of one item of a form. */
export type Outcome = {readonly item: string; readonly ok: boolean; readonly text: string};

/** Has the supervisor decide what a form says, and tells what became of each item; what was left empty goes on waiting without a word. */
export const decide = async (
	view: () => View,
	form: URLSearchParams,
	ask: Ask,
): Promise<readonly Outcome[]> => {
	const outcomes: Outcome[] = [];
	for (const one of readForm(view(), form)) {
		outcomes.push(...(await outcomeOf(view, form, one, ask)));
	}

	return outcomes;
};

const outcomeOf = async (
	view: () => View,
	form: URLSearchParams,
	one: FormDecision,
	ask: Ask,
): Promise<readonly Outcome[]> => {
	const {item} = one;
	switch (one.kind) {
		case 'empty':
			return [];
		case 'refused':
			return [{item, ok: false, text: one.why}];
		case 'decision': {
			const {also, ...decision} = omit(one, 'kind');
			const all = [decision, ...also.map(other => ({...decision, item: other}))];
			try {
				await ask(
					all.length === 1
						? {do: 'decide', ...decision, by: 'web'}
						: {do: 'answer', answers: all, by: 'web'},
				);
				return all.map(({item, choice}) => ({item, ok: true, text: `${item}: ${choice}`}));
			} catch (error) {
				return [{item, ok: false, text: whyRefused(view(), form, item, error)}];
			}
		}
	}
};

/** Whoever comes a moment late is told who was faster. Hints are for who types, but where something is missing or wrong with the machine. */
const whyRefused = (view: View, form: URLSearchParams, item: string, error: unknown): string => {
	const {kind, message, hint} = asFailure(error);
	if (kind === 'refused' && itemOf(view.session.state, item) === undefined) {
		return whyGoneHere(view, item, form.get('session'));
	}

	return hint === undefined || kind === 'refused' ? message : `${message} (${hint})`;
};
