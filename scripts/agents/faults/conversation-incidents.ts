import {cp, readFile, rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {
	type Conversation,
	type ConversationOpening,
	openConversation,
} from '../../../src/agents/acp/conversation.ts';
import {profiles} from '../../../src/agents/profiles/profiles.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {defined} from '../../../src/lib/values.ts';
import {afterTheLast} from '../../../test/helpers/marked-processes.ts';
import {
	answer,
	asks,
	asksThenCompletes,
	completed,
	completes,
	type Incident,
	isInView,
	playing,
	questionIn,
	report,
	type Scene,
} from './incident.ts';

const conversationGone: Incident = {
	title: 'its conversation is gone at the next turn',
	options: () => ({config: {questions: {quick: 0}}}),
	play: () => ({
		model: asksThenCompletes(() => 'I wait.'),
		person: async scene => {
			const {id} = await questionIn(scene.watch);
			await scene.watch.until('the end of its turn', ({events}) =>
				events.find(({kind}) => kind === 'turn.ended'),
			);
			await Promise.all(keptBy(scene).map(folder => rm(folder, {recursive: true, force: true})));
			await answer(scene, id, '80');
			await completed(scene);
			const opened = scene.watch.seen().events.filter(({kind}) => kind === 'conversation.opened');
			return opened.length > 1
				? 'begins a new one, told all; done'
				: 'goes on in the same one; done';
		},
	}),
};

const lastTurnGone: Incident = {
	title: 'its conversation lacks its last turn',
	options: () => ({config: {questions: {quick: 0}}}),
	play: () => {
		let knows = false;
		const play = playing(
			(_, said) => [said.includes(secondAnswer) ? completes : asks],
			() => 'I wait.',
		);
		return {
			model: asked => {
				const said = asked.entries.map(entry => (entry.by === 'person' ? entry.text : ''));
				const last = said.findLastIndex(text => text.includes(secondAnswer));
				knows ||= said.slice(0, last).some(text => text.includes(firstAnswer));
				return play(asked);
			},
			person: async scene => {
				const saved = keptBy(scene).map((folder, index) => ({
					folder,
					copy: join(scene.place.folder, `saved-${index}`),
				}));
				const first = await questionAtRest(scene, 1);
				for (const {folder, copy} of saved) {
					await cp(folder, copy, {recursive: true, verbatimSymlinks: true});
				}

				await answer(scene, first, firstAnswer);
				const second = await questionAtRest(scene, 2);
				for (const {folder, copy} of saved) {
					await rm(folder, {recursive: true, force: true});
					await cp(copy, folder, {recursive: true, verbatimSymlinks: true});
				}

				await answer(scene, second, secondAnswer);
				await completed(scene);
				if (await isInView(scene, 'lacks the last turn', 0)) {
					return 'its view says so; told all; done';
				}

				if (!knows) {
					throw new Error('nobody is told');
				}

				return 'it still knows that turn; done';
			},
		};
	},
};

const [firstAnswer, secondAnswer] = ['harbour-6', 'harbour-7'];

const conversationInUse: Incident = {
	title: 'a person has its conversation open',
	options: () => ({config: {questions: {quick: 0}}}),
	play: () => ({
		model: asksThenCompletes(() => 'I wait.'),
		person: async scene => {
			const id = await questionAtRest(scene, 1);
			const earlier = scene.watch
				.seen()
				.events.findLast(event => event.kind === 'conversation.opened')?.conversation;
			const {tree} = scene.folder.agent('AGT-001');
			const byHand = await talkByHand(scene, {directory: tree, ...defined({earlier})});
			await answer(scene, id, '80');
			const done = completed(scene);
			const isTold = await Promise.race([
				isInView(scene, 'Another program uses its conversation'),
				done.then(() => false),
			]);
			await byHand.end();
			await done;
			const opened = scene.watch.seen().events.filter(({kind}) => kind === 'conversation.opened');
			const how = opened.length > 1 ? 'begins a new one' : 'goes on in it';
			return `${isTold ? 'waits, and its view says so; then ' : ''}${how}; done`;
		},
	}),
};

/** Waits for the n-th question, and for the end of the agent's process, which then has saved its conversation; returns the item. */
const questionAtRest = async (scene: Scene, count: number): Promise<string> => {
	const {watch, folder} = scene;
	await watch.until('the end of its turn', ({events}) =>
		events.filter(({kind}) => kind === 'turn.ended').length >= count ? true : undefined,
	);
	const {id} = await questionIn(watch);
	await afterTheLast(`DELEGATE_SESSION=${basename(folder.path)}`);
	return id;
};

const keptBy = ({vendor, place: {environment}}: Scene): readonly string[] =>
	profiles[vendor].needs({home: environment.HOME ?? '', environment}).keeps;

const fromItsList: Incident = {
	title: 'a conversation that a person began, from its list',
	play: () => ({
		model: playing(
			() => [completes],
			() => report,
		),
		person: async scene => {
			const {place, vendor} = scene;
			const byHand = await talkByHand(scene);
			await byHand.prompt(said);
			await byHand.end();
			await completed(scene);
			const {stdout, code} = await place.run('agents', vendor, '--json');
			if (code !== 0) {
				return JSON.parse(stdout).error.message;
			}

			const [picked] = JSON.parse(stdout).conversations;
			if (picked === undefined) {
				return 'it lists none';
			}

			const {id} = picked;
			const how = ['--scope', 'lib/**', '--agent', vendor, '--from', id];
			await place.run('add', 'Go on from it', ...how);
			await scene.watch.until('its prompt', ({events}) =>
				events.find(event => event.kind === 'turn.started' && event.agent === 'AGT-002'),
			);
			const prompt = await readFile(scene.folder.agent('AGT-002').prompt(1), 'utf8');
			const kept = await readFile(scene.folder.agent('AGT-002').conversation, 'utf8');
			return kept.includes(said) && prompt.includes('EXECUTION CONTEXT')
				? 'is listed; an agent goes on from it'
				: 'is listed, and read without its words';
		},
	}),
};

const said = 'The harbour opens at seven.';

/** Opens a conversation like a person, in their own checkout unless another folder is named. */
const talkByHand = (
	{vendor, place}: Scene,
	options: Partial<Pick<ConversationOpening, 'directory' | 'earlier'>> = {},
): Promise<Conversation> =>
	openConversation({
		command: profiles[vendor].acp.command,
		directory: place.project,
		environment: place.environment,
		mark: 'DELEGATE_TRIAL=by-hand',
		containment: groupsContainment('for a trial'),
		complaints: join(place.folder, 'by-hand.err'),
		...options,
	});

export const conversationIncidents: readonly Incident[] = [
	conversationGone,
	lastTurnGone,
	conversationInUse,
	fromItsList,
];
