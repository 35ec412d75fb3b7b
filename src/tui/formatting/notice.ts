import type {Model} from '../../client/model.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {collisionNotices} from '../../rules/collisions.ts';
import {noticesOf} from '../../rules/notices.ts';
import {hasPrompt} from '../model/searching.ts';
import type {Context, ScreenNotice} from '../model/view.ts';
import {cut, wrapped} from '../rows/text.ts';
import {isShort} from '../terminal/full-screen.ts';

/** Maximum number of rows that a notice takes from the view. */
const maximumRows = 3;

const signColumns = 2;

/** A notice, wrapped into rows. */
export type ShownNotice = {readonly tone: ScreenNotice['tone']; readonly lines: readonly string[]};

/** Returns the outcome of the last key, or otherwise a problem; nothing if there is none. */
export const shownNotice = ({model, view}: Context): ShownNotice | undefined => {
	const {columns} = view.size;
	const own = view.notice ?? troubleOf(model);
	if (own !== undefined) {
		return {tone: own.tone, lines: linesOf(own.text, columns - signColumns)};
	}

	const [machine] = [
		...noticesOf(model.state, thisMoment(model.now)),
		// Panes, agent views and reviews name collisions.
		...collisionNotices(model.state).filter(({level}) => level === 'info'),
	];
	if (machine === undefined) {
		return undefined;
	}

	// The machine's notices must not hide what the person has to decide.
	const share = view.place.at === 'board' ? 2 : 1;
	return {
		tone: machine.level,
		lines: [cut(machine.text, Math.floor(columns / share) - signColumns)],
	};
};

/** Returns the number of rows for a notice; if the window is high enough, at least one, so that the view doesn't move. On the board that row shows the next step. */
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
