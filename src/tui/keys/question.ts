import type {ItemOf} from '../../state/item.ts';
import {sameQuestions} from '../../state/items/same-question.ts';
import type {Action} from '../action.ts';
import {whyNotDecide} from '../model/decide.ts';
import {openItem} from '../model/open-item.ts';
import {type Context, type ItemPlace, only} from '../model/view.ts';

type AtQuestion = {readonly place: ItemPlace; readonly item: ItemOf<'question'>};

const questionHere = ({model, view}: Context): AtQuestion | undefined => {
	const {place} = view;
	const open = place.at === 'item' ? openItem(model.state, place) : undefined;
	return place.at === 'item' && open?.standing !== 'gone' && open?.item.kind === 'question'
		? {place, item: open.item}
		: undefined;
};

/** What a person does at a question besides answering it. */
export const questionActions: readonly Action[] = [
	{
		name: 'together',
		keys: ['a'],
		label: 'for all who ask it',
		help: 'answer all agents that ask the same at once; again: only this one',
		where: ['item'],
		when: context => {
			const here = questionHere(context);
			return here !== undefined && sameQuestions(context.model.state, here.item).length > 0;
		},
		whyNot: whyNotDecide,
		run: context => {
			const place = questionHere(context)?.place;
			return only(
				place === undefined
					? context.view
					: {...context.view, place: {...place, together: !place.together}},
			);
		},
	},
];
