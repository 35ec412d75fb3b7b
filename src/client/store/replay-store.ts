import type {Event} from '../../events/event.ts';
import {elapsedMs} from '../../lib/text/duration.ts';
import {learned} from '../../rules/question-record.ts';
import type {State} from '../../state/state.ts';
import type {Model} from '../model.ts';
import {type Recording, recordedWords} from '../recording.ts';
import {type AskForPage, createResources, fetchResource, keyText} from '../resources/resources.ts';
import {toldAfter} from '../told.ts';
import {createPublisher, type ModelStore} from './publisher.ts';

export type ReplayOptions = {
	readonly recording: Recording;
	/** Number of the event after which to begin; by default the start. */
	readonly at?: number;
	/** Speed, as a factor of real time. */
	readonly speed: number;
	readonly playing: boolean;
	/** Shows pages that the recording lacks, in a state of the session; absent if only the recording is left. */
	readonly show?: (state: State, ...request: Parameters<AskForPage>) => Promise<unknown>;
};

/** Maximum pause of the recording, in milliseconds, so that a person's thinking time is skipped. */
const maximumPauseMs = 2000;

/** Replays a recorded session at its own times, or event by event. */
export const createReplayStore = (options: ReplayOptions): ModelStore => {
	const {recording, speed, show} = options;
	const {events} = recording;
	const told = toldAfter(events).lines;
	const length = events.length;
	let position = positionOf(events, options.at);
	let playing = options.playing;
	let timer: NodeJS.Timeout | undefined;
	const modelNow = (): Model => {
		const past = events.slice(0, position);
		const {state, records: questions} = learned(past);
		return {
			state,
			questions,
			log: told.slice(0, position),
			...recordedWords(recording, past, state),
			resources: {...resources.all(), ...recording.resources},
			now: state.at,
			mode: {kind: 'replay', playing: playing && position < length, position, length, speed},
		};
	};

	const publisher = createPublisher(() => {
		model = modelNow();
	});
	/** Resources whose pages are all of one state, even while the replay moves on. */
	const resources = createResources(what => {
		const {state} = model;
		return fetchResource(async request => show?.(state, request), what);
	}, publisher.touch);
	let model = modelNow();
	const arm = (): void => {
		clearTimeout(timer);
		const [last, next] = [events[position - 1], events[position]];
		if (playing && next !== undefined) {
			const pauseMs = last === undefined ? 0 : elapsedMs(last.at, next.at);
			timer = setTimeout(forth, Math.min(pauseMs, maximumPauseMs) / speed);
		}
	};

	const moveTo = (wanted: number): void => {
		position = Math.min(Math.max(0, wanted), length);
		publisher.touch();
		arm();
	};

	const forth = (): void => moveTo(position + 1);
	arm();
	return {
		model: () => model,
		subscribe: publisher.subscribe,
		flush: publisher.flush,
		want: keys => {
			if (show !== undefined) {
				resources.want(keys.filter(key => recording.resources[keyText(key)] === undefined));
				// Otherwise the screen would briefly say that the recording lacks it.
				publisher.flush();
			}
		},
		playing: {
			toggle: () => {
				playing = !playing;
				moveTo(position);
			},
			step: by => {
				playing = false;
				moveTo(position + by);
				publisher.flush();
			},
		},
		close: () => {
			clearTimeout(timer);
			publisher.close();
		},
	};
};

const positionOf = (events: readonly Event[], seq: number | undefined): number =>
	seq === undefined ? 0 : events.filter(event => event.seq <= seq).length;
