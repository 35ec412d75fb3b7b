import {existsSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import type {Answer, Asked, Play} from '../../../fixtures/models/exchange.ts';
import {callsFor, type Deed} from '../../../fixtures/models/hands.ts';
import type {AgentVendor} from '../../../src/events/plan.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import type {SessionFolder} from '../../../src/supervisor/folder.ts';
import type {JournalWatch} from '../../../test/helpers/watch-journal.ts';
import type {PlaceOptions, Playground} from '../playground.ts';

/** Place of an incident, while its session runs. */
export type Scene = {
	readonly vendor: AgentVendor;
	readonly place: Playground;
	readonly watch: JournalWatch;
	readonly folder: SessionFolder;
};

/** A failure between an agent and us, while its model behaves. */
export type Incident = {
	readonly title: string;
	readonly options?: (
		vendor: AgentVendor,
	) => Pick<PlaceOptions, 'config' | 'files' | 'subtask' | 'isLoggedOut'>;
	/** Returns the model, and a function that plays the person, which returns what they saw in the end, and rejects if that is wrong. */
	readonly play: () => {readonly model: Play; readonly person: (scene: Scene) => Promise<string>};
};

/** Asks for a port, by our tool. */
export const asks: Deed = {
	says: 'ask',
	fields: {questions: [{id: 'port', question: 'Which port?'}]},
};
/** Reports success, by our tool. */
export const completes: Deed = {says: 'complete', fields: {status: 'success'}};
/** Reports success in text. */
export const report = '[COMPLETION_REPORT]\nstatus: success\n[/COMPLETION_REPORT]\n';

/** Matches the beginning of our prompts, or of their first part. */
const ours = /^(?:EXECUTION CONTEXT|CLARIFICATION RESPONSE|REMINDER|STATE RESTORATION)/m;

/** Plays deeds one after the other after a prompt of ours, then the end, once that is known; reports in text where it has no tools of ours. */
export const playing =
	(
		deedsAfter: (prompt: string, said: string) => readonly Deed[],
		end: () => Promise<string> | string,
	): Play =>
	async (asked: Asked): Promise<Answer> => {
		const {entries, tools} = asked;
		const at = entries.findLastIndex(entry => entry.by === 'person' && ours.test(entry.text));
		const prompt = entries[at];
		if (tools.length === 0 || prompt?.by !== 'person') {
			return {say: 'Fine.'};
		}

		const made = entries.slice(at + 1).filter(({by}) => by === 'call').length;
		const said = entries.map(entry => (entry.by === 'person' ? entry.text : '')).join('\n');
		const deeds = deedsAfter(prompt.text, said);
		const call = deeds.flatMap(deed => callsFor(tools, deed))[made];
		if (call !== undefined) {
			return {say: 'One moment.', call};
		}

		return {say: made === 0 && deeds.includes(completes) ? report : await end()};
	};

/** Asks for a port, and reports success once it is told. */
export const asksThenCompletes = (end: () => Promise<string> | string): Play =>
	playing((_, said) => [said.includes('ANSWER') ? completes : asks], end);

/** Waits for a question that a person has to answer. */
export const questionIn = (watch: JournalWatch) =>
	watch.until('a question', ({state}) => inbox(state).find(({kind}) => kind === 'question'));

/** Waits for the end of the work, permitting each request once, and returns the number of permissions; rejects with the agent's failure. */
export const completed = async (scene: Scene): Promise<number> => {
	let allowed = 0;
	await allowing(
		scene,
		({events}) =>
			events.some(event => event.kind === 'agent.moved' && event.to === 'COMPLETE') || undefined,
		() => allowed++,
	);
	return allowed;
};

/** Waits for an event, permitting each request once meanwhile; rejects with the agent's failure. */
export const allowing = async <What>(
	scene: Scene,
	look: (
		seen: Pick<Parameters<Parameters<JournalWatch['until']>[1]>[0], 'state' | 'events'>,
	) => What | undefined,
	onAllowed: () => void = () => {},
): Promise<What> => {
	const decided = new Set<string>();
	for (;;) {
		const next = await scene.watch.until('the next step of its work', seen => {
			const found = look(seen);
			return found === undefined
				? inbox(seen.state).find(
						({kind, id}) => kind === 'failure' || (kind === 'permission' && !decided.has(id)),
					)
				: {found};
		});
		if ('found' in next) {
			return next.found;
		}

		if (next.kind === 'failure') {
			throw new Error(next.title);
		}

		decided.add(next.id);
		await answer(scene, next.id, 'once');
		onAllowed();
	}
};

/** Decides an item like a person. */
export const answer = async (
	{place}: Scene,
	item: string,
	...words: readonly string[]
): Promise<void> => {
	const {code, stderr} = await place.run('answer', item, ...words);
	if (code !== 0) {
		throw new Error(`${item} could not be decided: ${stderr.trim()}`);
	}
};

/** Returns the way of its last report: by tool, even if the text had it as well. */
export const saidBy = ({watch}: Scene): string =>
	watch
		.seen()
		.events.some(
			event =>
				event.kind === 'signal.said' &&
				event.signal.kind === 'completion_report' &&
				event.by === 'tool',
		)
		? 'tool'
		: 'text';

/** Waits for words in the agent's view, and returns whether they came; a try takes a tenth of a second. */
export const isInView = async (
	{folder: {telemetry}}: Scene,
	words: string,
	limit = 600,
): Promise<boolean> => {
	const isThere = () => existsSync(telemetry) && readFileSync(telemetry, 'utf8').includes(words);
	for (let tries = 0; !isThere() && tries < limit; tries++) {
		await wait(100);
	}

	return isThere();
};
