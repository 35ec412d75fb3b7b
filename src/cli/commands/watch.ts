import type {Command} from 'commander';
import type {Recording} from '../../client/recording.ts';
import type {ReplayOptions} from '../../client/store/replay-store.ts';
import {eventText} from '../../client/texts/event-text.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import type {RecordedWork} from '../../supervisor/show/show-recorded.ts';
import type {ScreenOptions} from '../../tui/screen.ts';
import {mergeSettings} from '../config/config.ts';
import {ownTerminal, print} from '../output.ts';
import {canShowScreen} from '../show-session.ts';

type Options = {at?: string; speed?: string};

/** Adds the command `watch`: plays a recorded session on the screen, or prints its events without a terminal. */
export const addWatch = (program: Command): void => {
	program
		.command('watch <folder>')
		.description('play a recorded session, from its folder')
		.option('--at <seq>', 'begin at this event, paused')
		.option('--speed <times>', 'how many times as fast as it was')
		.action(async (folder: string, options: Options) => {
			const at = positive(options.at, '--at');
			const speed = positive(options.speed, '--speed') ?? 1;
			const {readRecording} = await import('../../client/recording.ts');
			const recording = await readRecording(folder);
			if (!canShowScreen()) {
				for (const event of recording.events) {
					print(eventText(event));
				}

				requireWhole(recording);
				return;
			}

			const {createReplayStore} = await import('../../client/store/replay-store.ts');
			const {findRecordedWork} = await import('../../supervisor/show/show-recorded.ts');
			const {showScreen, withoutSession} = await import('../../tui/screen.ts');
			const work = await findRecordedWork(folder);
			await showScreen({
				store: createReplayStore({
					recording,
					speed,
					playing: at === undefined,
					...defined({at, show: work && showFrom(work)}),
				}),
				...withoutSession('This is a recording.'),
				...hintAt(recording),
				settings: mergeSettings([], ''),
				...ownTerminal(),
			});
			requireWhole(recording);
		});
};

const hintAt = ({damage}: Recording): Partial<Pick<ScreenOptions, 'hint'>> =>
	damage === undefined ? {} : {hint: () => `The recording ends early. ${damage.message}`};

/** Fails if a recording is incomplete, so that its end is not taken for that of the session. */
const requireWhole = ({damage}: Recording): void => {
	if (damage !== undefined) {
		throw new Failure(damage.kind, damage.message, {
			hint: 'everything before it was shown; the rest is unknown',
			cause: damage,
		});
	}
};

/** Returns a function that shows diffs; git's code is loaded with the first one. */
const showFrom =
	(work: RecordedWork): NonNullable<ReplayOptions['show']> =>
	async (state, parts) => {
		const {showRecorded} = await import('../../supervisor/show/show-recorded.ts');
		return showRecorded(work, state, parts);
	};

const positive = (words: string | undefined, option: string): number | undefined => {
	if (words === undefined) {
		return undefined;
	}

	const number = Number(words);
	if (!(number > 0)) {
		throw new Failure('usage', `${option} needs a number above 0, got "${words}".`);
	}

	return number;
};
