import type {Model} from '../../client/model.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {collisionNotices} from '../../rules/collisions.ts';
import {noticesOf} from '../../rules/notices.ts';
import {hasPrompt} from '../model/searching.ts';
import type {Context, ScreenNotice} from '../model/view.ts';
import {cut, wrapped} from '../rows/text.ts';
import {isShort} from '../terminal/full-screen.ts';

/** The most rows that a notice may take from the view. */
const maximumRows = 3;

const signColumns = 2;

/** What is to be told in one sentence, as the rows that it takes. */
export type ShownNotice = {readonly tone: ScreenNotice['tone']; readonly lines: readonly string[]};

/** Returns what the last key came to, else what is wrong; nothing when all is well. */
export const shownNotice = ({model, view}: Context): ShownNotice | undefined => {
	const {columns} = view.size;
	const own = view.notice ?? troubleOf(model);
	if (own !== undefined) {
		return {tone: own.tone, lines: linesOf(own.text, columns - signColumns)};
	}

	const [machine] = [
		...noticesOf(model.state, thisMoment(model.now)),
		...collisionNotices(model.state),
	];
	if (machine === undefined) {
		return undefined;
	}

	// What a machine has to say must not hide what a person is to decide.
	const share = view.place.at === 'board' ? 2 : 1;
	return {
		tone: machine.level,
		lines: [cut(machine.text, Math.floor(columns / share) - signColumns)],
	};
};

/** Returns the rows to keep for a notice; where there are enough, one is there even when nothing is to be told, so that the view stands still. The board tells there what comes next. */
export const noticeRows = (context: Context): number => {
	const {view} = context;
	const least = isShort(view.size) && view.place.at !== 'board' ? 0 : 1;
	return hasPrompt(view) ? 1 : (shownNotice(context)?.lines.length ?? least);
};

const linesOf = (text: string, columns: number): readonly string[] => {
	const lines = wrapped(text, columns);
	const last = maximumRows - 1;
	return lines.length <= maximumRows
		? lines
		: [...lines.slice(0, last), cut(lines.slice(last).join(' '), columns)];
};

const troubleOf = ({trouble}: Model): ScreenNotice | undefined =>
	trouble === undefined ? undefined : {tone: 'bad', text: `Reading stopped here: ${trouble}`};
