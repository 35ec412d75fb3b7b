import type {ResourceKey} from '../client/resources/resources.ts';
import type {ModelStore} from '../client/store/publisher.ts';
import {type Ask, type Asked, doubtsIn} from '../client/supervisor/request-within.ts';
import {Failure, failureText} from '../lib/failure.ts';
import {defined} from '../lib/values.ts';
import type {PushOffer} from '../rules/push-offer.ts';
import type {UndoOffer} from '../rules/undo-offer.ts';
import type {Item} from '../state/item.ts';
import {doubtedText} from '../state/items/conflict/resolved.ts';
import {itemOf} from '../state/select.ts';
import {imagesInSight} from './keys/lines.ts';
import {isAtPlan, toForm} from './model/plan.ts';
import {placesBeside, selectionAt, selectionKey} from './model/selection.ts';
import {grantOf, type ScreenInput, update} from './model/update.ts';
import {
	type Action,
	type Compose,
	type Context,
	type FileLine,
	type FilePlace,
	type Hint,
	type HunksPlace,
	type KeyEffect,
	type PastSessions,
	type PlanEffect,
	type SeenWork,
	startView,
	type Versions,
	type View,
	type Visit,
} from './model/view.ts';
import type {Composition} from './plan/composition.ts';
import type {Desk, Progress} from './plan/desk.ts';
import type {Highlight} from './rows/highlighter.ts';
import {setBackInSight, setBackKey} from './screens/items/about-agent.ts';
import {conflictKeys} from './screens/items/conflict.ts';
import {
	asWanted,
	filesKey,
	newWorkKey,
	resultKey,
	shownWorkKey,
	workKey,
} from './screens/items/work/work.ts';
import {waitsWithWork} from './screens/pane-item.ts';
import type {Size} from './terminal/full-screen.ts';
import type {createImages} from './terminal/images.ts';

/** Connects the model, the view and the effects of keys; React only draws the context. */
export type Controller = {
	readonly context: () => Context;
	readonly subscribe: (listener: () => void) => () => void;
	readonly take: (input: ScreenInput) => void;
	/** Stops all timers and requests. */
	readonly close: () => void;
};

/** Initial content of the form of a plan. */
export type PlanStart = {readonly desk: Desk; readonly composition: Composition};

export type ControllerOptions = {
	readonly store: ModelStore;
	readonly table: readonly Action[];
	readonly size: Size;
	/** Sends a person's decision to the supervisor. */
	readonly ask: Ask;
	readonly onLeave: () => void;
	/** Stops this program until the person's shell continues it, with the screen restored meanwhile. */
	readonly suspend: () => void;
	/** Draws the whole screen again. */
	readonly redraw: () => void;
	/** Copies a text to the person's clipboard, through the terminal. */
	readonly copy: (text: string) => void;
	/** Gathers the initial content of a plan's form. */
	readonly compose: (compose: Compose) => Promise<PlanStart>;
	/** Form of a plan that is shown alone, if no session is running. */
	readonly form?: PlanStart;
	/** Opens a file in the person's editor or merge tool, and resolves when it has closed; throws a `Failure` if that fails. */
	readonly edit: (file: string, versions?: Versions) => Promise<void>;
	/** Opens a commit's version of a file in the person's editor, and resolves with a sentence about it. */
	readonly openCopy: (commit: string, at: FilePlace) => Promise<string>;
	/** Opens the worktree of an agent, or one of its files, for the person; needs the terminal until it resolves, with a sentence about the outcome. */
	readonly visit: (agent: string, how: Visit, at?: FileLine) => Promise<string>;
	/** Describes the push of the newest merge, and makes exactly that push; this needs the terminal, and resolves with a sentence about the outcome. */
	readonly publish: {
		readonly offer: (request?: true) => Promise<PushOffer>;
		readonly push: (offer: PushOffer) => Promise<string>;
	};
	/** Work that the person had seen before the screen was opened. */
	readonly seen?: SeenWork;
	/** Stores what they have seen for the next time. */
	readonly keep?: (seen: SeenWork) => void;
	/** Text of the hint line; without it there is no such line. */
	readonly hint?: Hint;
	/** Loads the syntax highlighter, once there is source code to show; without it there are no colours. */
	readonly loadHighlight?: () => Promise<Highlight>;
	/** Returns the URL of a file in an agent's worktree; without it there are no hyperlinks. */
	readonly addressOf?: Context['addressOf'];
	/** Resolves to the function that has the terminal hold the images in sight, once the terminal has answered that it shows them. */
	readonly images?: ReturnType<typeof createImages>['asked'];
	/** Sessions that have ended; a recording has none. */
	readonly past?: PastSessions;
};

/** Time for which a notice of success stays if no key is pressed, in milliseconds: it is in the log as well. Other notices are shown nowhere else, and stay until the next key. */
const noticeMs = 8000;

/** Delay before newly seen work is stored, in milliseconds: each time the whole record is written. */
const keepMs = 5000;

/** Pause of the keys before a plan is checked again, in milliseconds: in a large repository a check takes longer than the interval of keys. */
const pauseMs = 60;

export const createController = (options: ControllerOptions): Controller => {
	const {store, table, size, hint, form} = options;
	const start = {...startView(size), ...options.seen};
	const listeners = new Set<() => void>();
	let context: Context = {
		model: store.model(),
		view: form === undefined ? start : toForm(start, form.desk, form.composition),
		table,
		...defined({hint, addressOf: options.addressOf}),
	};
	/** Loads a part of the context; without it, its part of the screen is missing. */
	const load = <Part extends 'highlight' | 'sessions'>(
		part: Part,
		loading: Promise<NonNullable<Context[Part]>> | undefined,
	): void => {
		loading?.then(
			value => {
				context = {...context, [part]: value};
				publish();
			},
			// The program file may have been replaced meanwhile.
			() => {},
		);
	};

	let showImages: Awaited<NonNullable<ControllerOptions['images']>> | undefined;
	options.images?.then(show => {
		showImages = show;
		context = {...context, images: true};
		publish();
	});
	let isHighlightWanted = false;
	const publish = (): void => {
		showImages?.(imagesInSight(context));
		const wanted = resourcesFor(context);
		store.want(wanted);
		if (!isHighlightWanted && wanted.length > 0 && context.view.place.at !== 'board') {
			isHighlightWanted = true;
			load('highlight', options.loadHighlight?.());
		}

		for (const listener of listeners) {
			listener();
		}
	};

	let over: NodeJS.Timeout | undefined;
	/** Clears a notice after a while, so that it is not mistaken for the current state. */
	const letNoticeGo = ({notice}: View): void => {
		clearTimeout(over);
		if (notice?.tone === 'good') {
			over = setTimeout(take, noticeMs, {kind: 'read', notice}).unref();
		}
	};

	let keeping: NodeJS.Timeout | undefined;
	const keepNow = (): void => {
		clearTimeout(keeping);
		keeping = undefined;
		options.keep?.(context.view);
	};

	let judging: NodeJS.Timeout | undefined;
	const judgeSoon = ({place}: View): void => {
		clearTimeout(judging);
		if (place.at === 'plan' && place.judged !== place.composition) {
			judging = setTimeout(take, pauseMs, {kind: 'paused'});
		}
	};

	const take = (input: ScreenInput): void => {
		// A key is judged by the current state, which may be newer than the screen.
		store.flush();
		const {view, effects} = update(context, input);
		if (view.notice !== context.view.notice) {
			letNoticeGo(view);
		}

		// Another session may have ended since the palette was last open. To start a process takes as long as a frame, so the frame comes first.
		if (view.dialog.kind === 'palette' && context.view.dialog.kind !== 'palette') {
			setImmediate(() => load('sessions', options.past?.list()));
		}

		if (view.read !== context.view.read || view.lookedAt !== context.view.lookedAt) {
			keeping ??= setTimeout(keepNow, keepMs).unref();
		}

		context = {...context, view};
		judgeSoon(view);
		publish();
		for (const effect of effects) {
			perform(options, view, effect, {take, planner});
		}
	};

	const planner = createPlanner();
	store.subscribe(() => {
		context = {...context, model: store.model()};
		publish();
	});
	return {
		context: () => context,
		subscribe: listener => {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		take,
		close: () => {
			clearTimeout(over);
			clearTimeout(judging);
			if (keeping !== undefined) {
				keepNow();
			}

			planner.stop();
		},
	};
};

const createPlanner = () => {
	let working = new AbortController();
	return {
		start: (): AbortSignal => {
			working = new AbortController();
			return working.signal;
		},
		stop: (): void => working.abort(),
	};
};

type Behind = {
	readonly take: (input: ScreenInput) => void;
	readonly planner: ReturnType<typeof createPlanner>;
};

const perform = (
	options: ControllerOptions,
	view: View,
	effect: KeyEffect,
	{take, planner}: Behind,
): void => {
	const {store, ask, publish} = options;
	switch (effect.do) {
		case 'leave':
			options.onLeave();
			return;
		case 'suspend':
			options.suspend();
			return;
		case 'redraw':
			options.redraw();
			return;
		case 'show-session':
			told(options.past?.show(effect.session, effect.how) ?? Promise.resolve(''), take);
			return;
		case 'copy':
			options.copy(effect.text);
			return;
		case 'compose':
			answered(
				options.compose(effect.compose).then(start => ({kind: 'begun', ...start})),
				take,
			);
			return;
		case 'stop-proposing':
			planner.stop();
			return;
		case 'save-plan':
		case 'open-plan':
		case 'hand-in':
		case 'list-conversations':
		case 'propose':
			if (isAtPlan(view)) {
				answered(planDone(view.place.desk, effect, {take, planner}), take);
			}

			return;
		case 'play':
			if (effect.step === 'toggle') {
				store.playing?.toggle();
			} else {
				store.playing?.step(effect.step);
			}

			return;
		case 'edit':
			askInTurn(ask, effect.first)
				.then(() => options.edit(effect.file, effect.versions))
				.then(
					() => take({kind: 'edited'}),
					(error: unknown) => take({kind: 'edited', trouble: failureText(error)}),
				);
			return;
		case 'visit':
			told(options.visit(effect.agent, effect.how, effect.at), take);
			return;
		case 'open-copy':
			told(options.openCopy(effect.commit, effect.at), take);
			return;
		case 'push':
			told(publish.push(effect.offer), take);
			return;
		case 'offer-push':
			publish.offer(effect.request).then(
				offer => take({kind: 'push-offered', offer, at: Date.now()}),
				(error: unknown) => take({kind: 'refused', text: failureText(error)}),
			);
			return;
		case 'keep':
			ask(effect.request).then(
				() => effect.again && take({kind: 'kept'}),
				(error: unknown) => {
					// A failure that arrives after the conflict is decided is dropped.
					if (itemOf(store.model().state, effect.request.item) !== undefined) {
						take({kind: 'kept', trouble: failureText(error)});
					}
				},
			);
			return;
		case 'offer-undo':
			ask({do: 'undo', ...(effect.turn === 'redo' ? {redo: true} : {})}).then(
				answer => take({kind: 'undo-offered', offer: offerIn(answer), at: Date.now()}),
				(error: unknown) => take({kind: 'refused', text: failureText(error)}),
			);
			return;
		case 'ask': {
			const {item, request, first} = effect;
			askInTurn(ask, first, request).then(
				answer => {
					const doubts = doubtsIn(answer);
					take(
						request.do === 'decide' && doubts !== undefined
							? {kind: 'refused', text: heldUpText(request, doubts)}
							: grantOf(effect),
					);
				},
				(error: unknown) => take({kind: 'refused', text: refusalOf(error, store, item)}),
			);
		}
	}
};

const told = (text: Promise<string>, take: (input: ScreenInput) => void): void => {
	text.then(
		text => take({kind: 'granted', text, at: Date.now()}),
		(error: unknown) => take({kind: 'refused', text: failureText(error), at: Date.now()}),
	);
};

const answered = (answer: Promise<ScreenInput>, take: (input: ScreenInput) => void): void => {
	answer.then(take, (error: unknown) =>
		take({kind: 'failed', text: failureText(error).replaceAll('\n', ' ')}),
	);
};

const planDone = async (
	desk: Desk,
	effect: Exclude<PlanEffect, {do: 'stop-proposing'}>,
	{take, planner}: Behind,
): Promise<ScreenInput> => {
	switch (effect.do) {
		case 'save-plan': {
			const file = {path: effect.path, text: effect.text};
			return {kind: await desk.save(file, effect.over), file};
		}

		case 'open-plan':
			return {
				kind: 'opened',
				file: {path: effect.path, text: await desk.read(effect.path)},
			};
		case 'list-conversations':
			return {
				kind: 'listed',
				conversations: await desk.conversations(effect.profile, planner.start()),
			};
		case 'propose': {
			const signal = planner.start();
			const report = (progress: Progress) => take({kind: 'planning', progress});
			return {kind: 'proposed', text: await desk.propose(effect.task, {signal, report})};
		}

		case 'hand-in':
			return {kind: 'handed-in', text: await desk.handIn(effect.text, effect.file)};
	}
};

/** Sends requests one after the other, and returns the answer to the last one. */
const askInTurn = async (ask: Ask, first: Asked | undefined, then?: Asked): Promise<unknown> => {
	const answer = first && (await ask(first));
	return then === undefined ? answer : ask(then);
};

const heldUpText = (
	{item, choice}: Extract<Asked, {do: 'decide'}>,
	doubts: readonly string[],
): string => `${item} stays open: ${doubtedText({choice, doubts})}.`;

/** Reads the supervisor's offer; it has this version, or it would not have been asked. */
const offerIn = (answer: unknown): UndoOffer => {
	if (typeof answer === 'object' && answer !== null && 'offer' in answer) {
		return answer.offer as UndoOffer;
	}

	throw new Failure('internal', 'The supervisor did not report the outcome.');
};

const refusalOf = (error: unknown, store: ModelStore, item: string | undefined): string => {
	const open = item !== undefined && itemOf(store.model().state, item) !== undefined;
	return `${failureText(error)}${open ? ` ${item} still waits for you.` : ''}`;
};

/** Returns the resources that the screen currently shows. */
export const resourcesFor = (context: Context): readonly ResourceKey[] => {
	const {model, view} = context;
	const {state} = model;
	const {place} = view;
	switch (place.at) {
		case 'agent':
			return place.show === 'work'
				? withFiles([asWanted(shownWorkKey(state, place.agent, view), view)])
				: [];
		case 'item': {
			const item = itemOf(state, place.item);
			if (item?.kind === 'conflict') {
				return conflictKeys(state, view, item, place);
			}

			if (item === undefined) {
				return [];
			}

			const setBack = place.shows === 'outcome' ? setBackInSight(state, item, place) : undefined;
			return there([...keysFor(context, item), setBack && setBackKey(state, setBack)]);
		}

		case 'hunks':
			return hunkResources(context, place);
		case 'board':
			return there(
				state.agents
					.filter(agent => waitsWithWork(state, agent))
					.map(({id}) => filesKey(workKey(state, id))),
			);
		case 'inbox':
		case 'questions':
		case 'answers':
		case 'log':
		case 'check':
		case 'matrix':
		case 'findings':
		case 'help':
		case 'plan':
			return [];
	}
};

/** Returns the resources of hunks; a folder that does not exist yet has none. */
const hunkResources = (context: Context, place: HunksPlace): readonly ResourceKey[] =>
	placesBeside(context.model.state, place).flatMap(one => {
		const selection = selectionAt(context, one);
		if (['gone', 'none', 'making'].includes(selection.phase)) {
			return [];
		}

		const key = selectionKey(context, one);
		if (selection.phase === 'ready' && selection.of === 'work' && !selection.isComplete) {
			return withFiles([key]);
		}

		return there([key]);
	});

/** Adds the list of files before each diff, since only the list shows what the diff omits. */
const withFiles = (keys: readonly (ResourceKey | undefined)[]): readonly ResourceKey[] =>
	there([...keys.map(filesKey), ...keys]);

const there = (keys: readonly (ResourceKey | undefined)[]): readonly ResourceKey[] =>
	keys.filter(key => key !== undefined);

const keysFor = (
	{model: {state}, view}: Context,
	item: Exclude<Item, {kind: 'conflict'}>,
): readonly (ResourceKey | undefined)[] => {
	if (item.kind === 'approval') {
		return [
			...withFiles([resultKey(state), asWanted(resultKey(state), view)]),
			...(state.merge.phase === 'verified'
				? state.merge.built.agents.map(agent => filesKey(workKey(state, agent)))
				: []),
		];
	}

	if (item.kind === 'question' || !('agent' in item)) {
		return [];
	}

	return withFiles([
		workKey(state, item.agent),
		newWorkKey(state, item.agent),
		asWanted(shownWorkKey(state, item.agent, view), view),
	]);
};
