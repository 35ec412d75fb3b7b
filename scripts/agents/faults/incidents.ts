import {existsSync, readFileSync} from 'node:fs';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import type {Answer, Asked, Play} from '../../../fixtures/models/exchange.ts';
import {callsFor, type Deed} from '../../../fixtures/models/hands.ts';
import {directoryIn} from '../../../fixtures/models/play.ts';
import {openConversation} from '../../../src/agents/acp/conversation.ts';
import {profiles} from '../../../src/agents/profiles/profiles.ts';
import type {AgentVendor} from '../../../src/events/plan.ts';
import {vendors} from '../../../src/events/vendors.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import type {SessionFolder} from '../../../src/supervisor/folder.ts';
import {toolServerCommand} from '../../../src/tools/access.ts';
import {markedProcesses} from '../../../test/helpers/marked-processes.ts';
import type {JournalWatch} from '../../../test/helpers/watch-journal.ts';
import {launcher, type PlaceOptions, type Playground} from '../playground.ts';

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
	) => Pick<PlaceOptions, 'config' | 'subtask' | 'isLoggedOut'>;
	/** Returns the model, and a function that plays the person, which returns what they saw in the end, and rejects if that is wrong. */
	readonly play: () => {readonly model: Play; readonly person: (scene: Scene) => Promise<string>};
};

const asks: Deed = {says: 'ask', fields: {questions: [{id: 'port', question: 'Which port?'}]}};
const completes: Deed = {says: 'complete', fields: {status: 'success'}};
const report = '[COMPLETION_REPORT]\nstatus: success\n[/COMPLETION_REPORT]\n';

/** Matches the beginning of our prompts, or of their first part. */
const ours = /^(?:EXECUTION CONTEXT|CLARIFICATION RESPONSE|REMINDER|STATE RESTORATION)/m;

/** Plays deeds one after the other after a prompt of ours, then the end, once that is known. */
const playing =
	(deedsAfter: (prompt: string) => readonly Deed[], end: () => Promise<string> | string): Play =>
	async (asked: Asked): Promise<Answer> => {
		const {entries, tools} = asked;
		const at = entries.findLastIndex(entry => entry.by === 'person' && ours.test(entry.text));
		const prompt = entries[at];
		if (tools.length === 0 || prompt?.by !== 'person') {
			return {say: 'Fine.'};
		}

		const made = entries.slice(at + 1).filter(({by}) => by === 'call').length;
		const call = deedsAfter(prompt.text).flatMap(deed => callsFor(tools, deed))[made];
		return call === undefined ? {say: await end()} : {say: 'One moment.', call};
	};

const asksThenCompletes = (end: () => Promise<string> | string): Play =>
	playing(prompt => [prompt.includes('ANSWER') ? completes : asks], end);

const questionIn = (watch: JournalWatch) =>
	watch.until('a question', ({state}) => inbox(state).find(({kind}) => kind === 'question'));

/** Waits for the end of the work, permitting each request once, and returns the number of permissions; rejects with the agent's failure. */
const completed = async (scene: Scene): Promise<number> => {
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
const allowing = async <What>(
	scene: Scene,
	look: (
		seen: Pick<Parameters<Parameters<JournalWatch['until']>[1]>[0], 'state' | 'events'>,
	) => What | undefined,
	onAllowed: () => void = () => {},
): Promise<What> => {
	for (;;) {
		const next = await scene.watch.until('the next step of its work', seen => {
			const found = look(seen);
			return found === undefined
				? inbox(seen.state).find(({kind}) => kind === 'failure' || kind === 'permission')
				: {found};
		});
		if ('found' in next) {
			return next.found;
		}

		if (next.kind === 'failure') {
			throw new Error(next.title);
		}

		await answer(scene, next.id, 'once');
		onAllowed();
	}
};

const answer = async ({place}: Scene, item: string, ...words: readonly string[]): Promise<void> => {
	const {code, stderr} = await place.run('answer', item, ...words);
	if (code !== 0) {
		throw new Error(`${item} could not be decided: ${stderr.trim()}`);
	}
};

/** Returns the way of its last report: by tool, even if the text had it as well. */
const saidBy = ({watch}: Scene): string =>
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

/** Waits up to a minute for words in the agent's view, and returns whether they came. */
const isInView = async ({folder: {telemetry}}: Scene, words: string): Promise<boolean> => {
	const isThere = () => existsSync(telemetry) && readFileSync(telemetry, 'utf8').includes(words);
	for (let tries = 0; !isThere() && tries < 600; tries++) {
		await wait(100);
	}

	return isThere();
};

const toolsDie: Incident = {
	title: 'our server of tools is killed in a turn',
	play: () => {
		const told = Promise.withResolvers<'I wait.'>();
		return {
			model: asksThenCompletes(() => told.promise),
			person: async scene => {
				const {id} = await questionIn(scene.watch);
				const mark = `DELEGATE_SESSION=${basename(scene.folder.path)}`;
				for (const {pid, command} of markedProcesses(mark)) {
					if (command.endsWith(toolServerCommand)) {
						process.kill(pid, 'SIGKILL');
					}
				}

				const wasTold = await isInView(scene, 'tools has ended');
				told.resolve('I wait.');
				await answer(scene, id, '80');
				await completed(scene);
				return `${wasTold ? 'its end is told' : 'it was started again at once'}; the next turn reports by ${saidBy(scene)}`;
			},
		};
	},
};

const ownServerEnds: Incident = {
	title: 'a server of the person’s own that ends at once',
	options: () => ({subtask: {mcp_servers: [{name: 'docs', command: ['sh', '-c', 'exit 3']}]}}),
	play: () => {
		const told = Promise.withResolvers<void>();
		const completing = playing(
			() => [completes],
			() => report,
		);
		return {
			model: async asked => {
				await told.promise;
				return completing(asked);
			},
			person: async scene => {
				await scene.watch.until('its turn', ({events}) =>
					events.find(({kind}) => kind === 'turn.started'),
				);
				const isTold = await isInView(scene, 'server docs does not run');
				told.resolve();
				await completed(scene);
				return `${isTold ? 'is named in its view' : 'nobody is told'}; done`;
			},
		};
	},
};

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
			const {HOME: home = ''} = scene.place.environment;
			const {keeps} = profiles[scene.vendor].needs({home, environment: scene.place.environment});
			await Promise.all(keeps.map(folder => rm(folder, {recursive: true, force: true})));
			await answer(scene, id, '80');
			await completed(scene);
			const opened = scene.watch.seen().events.filter(({kind}) => kind === 'conversation.opened');
			return opened.length > 1
				? 'begins a new one, told all; done'
				: 'goes on in the same one; done';
		},
	}),
};

const messageAtTheEnd: Incident = {
	title: 'a message in a turn that has reported',
	play: () => {
		const sent = Promise.withResolvers<string>();
		return {
			model: playing(
				() => [completes],
				() => sent.promise,
			),
			person: async scene => {
				await scene.watch.until('its report', ({events}) =>
					events.find(
						event => event.kind === 'signal.said' && event.signal.kind === 'completion_report',
					),
				);
				await scene.place.run('agent', 'AGT-001', 'message', 'One more thing');
				sent.resolve('Done.');
				await scene.watch.until('its review', ({state}) =>
					inbox(state).find(({kind}) => kind === 'review'),
				);
				const {stdout} = await scene.place.run('inbox', '--json');
				const turns = scene.watch.seen().events.filter(({kind}) => kind === 'turn.started');
				if (turns.length !== 1 || !stdout.includes('One more thing')) {
					throw new Error(`${turns.length} turns, and its review: ${stdout}`);
				}

				return 'stays complete; the review names the message';
			},
		};
	},
};

const substitution: Incident = {
	title: 'a command with `$(…)`',
	play: () => {
		let learned = '';
		const command: Deed = {runs: 'echo $(date)'};
		const play = playing(
			() => [command, completes],
			() => report,
		);
		return {
			model: asked => {
				learned ||= JSON.stringify(asked.entries).includes('write it without them')
					? '; told why'
					: '';
				return play(asked);
			},
			person: async scene => {
				const allowed = await completed(scene);
				return `${allowed === 0 ? 'nobody is asked' : 'a person is asked, and it runs'}${learned}; done`;
			},
		};
	},
};

const wholeFile: Incident = {
	title: 'a file written whole over a line that a person added in a visit',
	play: () => {
		const write = (prompt: string, text: string): Deed => ({
			path: join(directoryIn([prompt]) ?? '', 'src/notes.txt'),
			text,
		});
		return {
			model: playing(
				prompt =>
					prompt.includes('ANSWER')
						? [write(prompt, 'two\n'), completes]
						: [write(prompt, 'one\n'), asks],
				() => report,
			),
			person: async scene => {
				const {place, folder, watch} = scene;
				const {id} = await allowing(scene, ({state}) =>
					inbox(state).find(({kind}) => kind === 'question'),
				);
				const shell = join(place.folder, 'shell');
				await writeFile(shell, '#!/bin/sh\necho mine >> src/notes.txt\n', {mode: 0o755});
				await place.run('agent', 'AGT-001', 'pause');
				await execa(process.execPath, [launcher, 'agent', 'AGT-001', 'shell'], {
					cwd: place.project,
					env: {...place.environment, SHELL: shell},
					extendEnv: false,
					stdin: 'ignore',
				});
				await answer(scene, id, '80');
				await place.run('agent', 'AGT-001', 'resume');
				await completed(scene);
				const text = await readFile(join(folder.agent('AGT-001').tree, 'src/notes.txt'), 'utf8');
				const notes = watch
					.seen()
					.events.flatMap(event => (event.kind === 'snapshot.taken' ? (event.notes ?? []) : []));
				const isTold = notes.some(note => note.includes('overwrote 1 line'));
				return text.includes('mine')
					? 'its write is refused; the line stays'
					: `the line is gone; ${isTold ? 'the review says so' : 'nobody is told'}`;
			},
		};
	},
};

const commits: Incident = {
	title: 'a test suite that commits',
	play: () => ({
		model: playing(
			() => [
				{
					runs: '{ git init -q "$TMPDIR/r" && git -C "$TMPDIR/r" commit -q --allow-empty -m x && git -C "$TMPDIR/r" log -1 --format=%ae; } > src/author.txt 2>&1',
				},
				completes,
			],
			() => report,
		),
		person: async scene => {
			await completed(scene);
			const file = join(scene.folder.agent('AGT-001').tree, 'src/author.txt');
			const author = await readFile(file, 'utf8').catch(() => '');
			const [said = ''] = author.split('\n');
			return said.includes('@') ? `commits as ${said}` : `its commit fails: ${said}`;
		},
	}),
};

const authenticates: Incident = {
	title: 'a login by `authenticate`, without an account',
	options: () => ({isLoggedOut: true}),
	play: () => ({
		model: () => ({say: report}),
		person: async scene => {
			const {watch} = scene;
			const first = await watch.until('a failure, or the end of its work', ({state}) =>
				inbox(state).find(({kind}) => kind === 'failure' || kind === 'review'),
			);
			const ways = first.choices.flatMap(({choice}) => (/^login:/.test(choice) ? [choice] : []));
			const [way] = ways;
			if (way === undefined) {
				return first.kind === 'review'
					? 'done without a login'
					: 'offers no way that takes no terminal';
			}

			await answer(scene, first.id, way);
			const next = await watch.until('what comes of it', ({state}) =>
				inbox(state).find(
					({kind, id}) => (kind === 'failure' && id !== first.id) || kind === 'review',
				),
			);
			return `offers ${ways.join(', ')}; by the first: ${next.title.replaceAll('|', '/').slice(0, 160)}`;
		},
	}),
};

const noLogin: Incident = {
	title: 'no login',
	options: () => ({isLoggedOut: true}),
	play: () => ({
		model: () => ({say: report}),
		person: async ({watch}) => {
			const {title} = await watch.until('a failure, or the end of its work', ({state}) =>
				inbox(state).find(({kind}) => kind === 'failure' || kind === 'review'),
			);
			return title.replaceAll('|', '/').slice(0, 160);
		},
	}),
};

const overHttp: Incident = {
	title: 'our tools by HTTP alone, as an agent that is not known',
	options: vendor => ({
		subtask: {
			agent: {protocol: 'acp', command: profiles[vendor].acp.command, tools: 'http'},
			mode: vendors[vendor].askingModes[0],
		},
	}),
	play: () => ({
		model: playing(
			() => [completes],
			() => report,
		),
		person: async scene => {
			const allowed = await completed(scene);
			return `reports by ${saidBy(scene)}${allowed === 0 ? '' : ', with leave'}`;
		},
	}),
};

const fromItsList: Incident = {
	title: 'a conversation that a person began, from its list',
	play: () => ({
		model: playing(
			() => [completes],
			() => report,
		),
		person: async scene => {
			const {place, vendor} = scene;
			await talkByHand(scene);
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

/** Starts a conversation like a person, in their own checkout. */
const talkByHand = async ({vendor, place}: Scene): Promise<void> => {
	const conversation = await openConversation({
		command: profiles[vendor].acp.command,
		directory: place.project,
		environment: place.environment,
		mark: 'DELEGATE_TRIAL=by-hand',
		containment: groupsContainment('for a trial'),
		complaints: join(place.folder, 'by-hand.err'),
	});
	await conversation.prompt(said);
	await conversation.end();
};

/** All incidents, in the order of the table. */
export const incidents: readonly Incident[] = [
	toolsDie,
	ownServerEnds,
	conversationGone,
	messageAtTheEnd,
	substitution,
	commits,
	wholeFile,
	noLogin,
	authenticates,
	overHttp,
	fromItsList,
];
