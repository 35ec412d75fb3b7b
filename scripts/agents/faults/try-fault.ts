import {setTimeout as wait} from 'node:timers/promises';
import {disturbedBy, type Fault} from '../../../fixtures/models/faults.ts';
import {startModelServer} from '../../../fixtures/models/server.ts';
import type {Event} from '../../../src/events/event.ts';
import type {AgentVendor} from '../../../src/events/plan.ts';
import {elapsedMs} from '../../../src/lib/text/duration.ts';
import {defined} from '../../../src/lib/values.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {type JournalWatch, watchJournal} from '../../../test/helpers/watch-journal.ts';
import {makePlayground, type Playground} from '../playground.ts';
import {endLeftover, startRun} from '../session.ts';
import type {Incident} from './incident.ts';

/** What a person sees of an agent whose model misbehaves. */
export type Sight = {
	/** Seconds since the start of its first turn; absent for an incident, whose time tells nothing. */
	readonly after?: number;
	readonly kind: 'waits' | 'failed' | 'quiet' | 'silent' | 'goes on';
	/** Text on the screen. */
	readonly text: string;
	/** True if the text is correct. */
	readonly isTrue: boolean;
};

/** A fault, and the agent's vendor. */
type Tried = {readonly vendor: AgentVendor; readonly fault: Fault};

/** The sights of a fault; none is the worst result. */
export type FaultTrial = {
	readonly vendor: AgentVendor;
	readonly fault: Pick<Fault, 'title'>;
	readonly sights: readonly Sight[];
	/** Reason why it could not be tried. */
	readonly why?: string;
};

/** Time limit for a sight, in milliseconds; megabytes of words take a busy machine minutes. */
const limitMs = 300_000;

/** Lets an agent work with a misbehaving model, until it is known what a person sees of that. */
export const tryFault = async (
	vendor: AgentVendor,
	fault: Fault,
	{commands, signal}: {readonly commands: string; readonly signal: AbortSignal},
): Promise<FaultTrial> => {
	await using server = await startModelServer(() => ({say: report}), undefined, disturbedBy(fault));
	// Short pauses before retries, so that their results come soon.
	const limits = {stagger: '0s', retries: ['1s', '1s', '1s']};
	const place = await makePlayground(vendor, {
		commands,
		url: server.url,
		config: {limits},
		...defined({isSubscribed: fault.isSubscribed}),
	});
	try {
		return {vendor, fault, sights: await seenOf(place, {vendor, fault}, signal)};
	} catch (error) {
		return {vendor, fault, sights: [], why: error instanceof Error ? error.message : String(error)};
	} finally {
		await place.remove();
	}
};

/** Lets an incident happen to an agent whose model behaves. */
export const tryIncident = async (
	vendor: AgentVendor,
	{title, options, play}: Incident,
	{commands}: {readonly commands: string},
): Promise<FaultTrial> => {
	const {model, person} = play();
	await using server = await startModelServer(model);
	const place = await makePlayground(vendor, {commands, url: server.url, ...options?.(vendor)});
	const seen = (kind: Sight['kind'], text: string): FaultTrial => ({
		vendor,
		fault: {title},
		sights: [{kind, text, isTrue: kind === 'goes on'}],
	});
	try {
		const {session, repository} = await startRun(place);
		const folder = repositoryFolder(place.state, repository.id).session(session);
		const watch = watchJournal(folder.journal, {limitMs, lastWords: () => ''});
		try {
			return seen('goes on', await person({vendor, place, watch, folder}));
		} catch (error) {
			const text = error instanceof Error ? error.message : String(error);
			console.error(`${vendor}: ${title}: ${text}`);
			return seen('failed', text);
		} finally {
			await place.run('stop');
			await watch.close();
			await endLeftover(place, session);
		}
	} finally {
		await place.remove();
	}
};

const report = '[COMPLETION_REPORT]\nstatus: success\n[/COMPLETION_REPORT]\n';

const seenOf = async (
	place: Playground,
	tried: Tried,
	signal: AbortSignal,
): Promise<readonly Sight[]> => {
	const {session, repository} = await startRun(place);
	const folder = repositoryFolder(place.state, repository.id).session(session);
	const watch = watchJournal(folder.journal, {limitMs: 2 * limitMs, lastWords: () => ''});
	const over = new AbortController();
	try {
		const restarted = tried.fault.isRestarted === true ? restart(place, watch) : undefined;
		restarted?.catch(() => {});
		const isSeen = watch.until('something to see', ({events}) =>
			isEnough(sightsIn(events, tried), tried.fault) ? true : undefined,
		);
		isSeen.catch(() => {});
		const started = watch.until('the first turn, or its failure', ({events}) =>
			events.find(({kind}) => kind === 'turn.started' || kind === 'effect.failed'),
		);
		started.catch(() => {});
		await Promise.race([started, aborted(signal, over.signal)]);
		await Promise.race([isSeen, wait(limitMs, undefined, over), aborted(signal, over.signal)]);
		await restarted;
		return sightsIn(watch.seen().events, tried);
	} finally {
		over.abort();
		await place.run('stop');
		await watch.close();
		await endLeftover(place, session);
	}
};

const restart = async (place: Playground, watch: JournalWatch): Promise<void> => {
	await watch.until('a failure', ({events}) => events.find(isFailure));
	const {code, stderr} = await place.run('agent', 'AGT-001', 'restart');
	if (code !== 0) {
		throw new Error(`It could not be restarted: ${stderr.trim()}`);
	}
};

const isFailure = (event: Event): boolean => event.kind === 'agent.moved' && event.to === 'FAILED';

const aborted = async (signal: AbortSignal, over: AbortSignal): Promise<never> => {
	signal.throwIfAborted();
	return new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(new Error('interrupted')), {signal: over});
	});
};

/** Returns whether there are enough sights: temporary faults are awaited to the end, and restarts to their result. */
const isEnough = (sights: readonly Sight[], {lasts, isRestarted = false}: Fault): boolean =>
	isRestarted
		? sights.filter(({kind}) => kind === 'failed').length === 2
		: sights.some(({kind}) => kind !== 'quiet' && (kind !== 'waits' || lasts === undefined));

/** Returns a person's sights, from the journal. */
export const sightsIn = (events: readonly Event[], {vendor, fault}: Tried): readonly Sight[] => {
	const start =
		events.find(({kind}) => kind === 'turn.started') ??
		events.find(event => event.kind === 'agent.moved' && event.to === 'SPAWNING');
	if (start === undefined) {
		return [];
	}

	let isTrue = fault.untold?.includes(vendor) ?? false;
	const sights: Sight[] = [];
	for (const event of events) {
		if (event.kind === 'turn.ended' && event.end.by === 'error') {
			const kind = event.end.trouble?.kind;
			isTrue = kind === 'unknown' || (kind !== undefined && fault.kinds.includes(kind));
		}

		const seen = seenIn(event);
		if (seen !== undefined) {
			const after = Math.round(elapsedMs(start.at, event.at) / 1000);
			const isCause = seen.kind === 'failed' || seen.kind === 'waits';
			sights.push({...seen, after, isTrue: isCause ? isTrue : true});
		}
	}

	return sights;
};

const seenIn = (event: Event): Pick<Sight, 'kind' | 'text'> | undefined => {
	if (event.kind === 'turn.changed' && event.to === 'silent') {
		return {kind: 'silent', text: 'no word from it'};
	}

	if (event.kind === 'turn.changed' && event.to === 'quiet') {
		return {kind: 'quiet', text: 'no word of its model yet'};
	}

	if (event.kind !== 'agent.moved') {
		return undefined;
	}

	switch (event.to) {
		case 'FAILED':
			return {kind: 'failed', text: event.why};
		case 'COMPLETE':
			return {kind: 'goes on', text: 'done'};
		case 'CHECKPOINT':
			return {kind: 'waits', text: event.why.replace(/ until [\d:]+ UTC/, '')};
		default:
			return undefined;
	}
};
