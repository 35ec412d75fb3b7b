import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {execa} from 'execa';
import type {Deed} from '../../../fixtures/models/hands.ts';
import {directoryIn} from '../../../fixtures/models/play.ts';
import {type InboxItem, inbox} from '../../../src/rules/inbox.ts';
import {launcher} from '../playground.ts';
import {conversationIncidents} from './conversation-incidents.ts';
import {
	allowing,
	answer,
	asks,
	completed,
	completes,
	type Incident,
	playing,
	report,
	type Scene,
} from './incident.ts';
import {toolIncidents} from './tool-incidents.ts';

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

const noLogin: Incident = {
	title: 'no login',
	options: () => ({isLoggedOut: true}),
	play: () => ({
		model: () => ({say: report}),
		person: async scene => resultText(await resultIn(scene)),
	}),
};

const authenticates: Incident = {
	title: 'a login by `authenticate`, without an account',
	options: () => ({isLoggedOut: true}),
	play: () => ({
		model: () => ({say: report}),
		person: async scene => {
			const first = await resultIn(scene);
			const way = first.choices.find(({choice}) => choice.startsWith('login:'))?.choice;
			if (way === undefined) {
				return first.kind === 'review' ? 'needs none; done' : 'offers none without a terminal';
			}

			await answer(scene, first.id, way);
			return `${way} is called; ${resultText(await resultIn(scene, first.id))}`;
		},
	}),
};

/** Waits for a failure or a review that isn't known yet. */
const resultIn = ({watch}: Scene, known?: string): Promise<InboxItem> =>
	watch.until('a failure, or the end of its work', ({state}) =>
		inbox(state).find(({kind, id}) => (kind === 'failure' && id !== known) || kind === 'review'),
	);

const resultText = ({kind, title}: InboxItem): string => {
	if (kind === 'review') {
		return 'done';
	}

	const [cause = ''] = title.replace(/^Failed: (?:start failed: )?/, '').split(/[:;]/);
	return `failed: ${cause}${title.includes('; to log in, ') ? ', with how to' : ''}`;
};

const mention: Incident = {
	title: 'a subtask that names `@a-file`',
	options: () => ({
		files: {'tide.txt': `${tide}\n`},
		subtask: {subtask: 'Write what @tide.txt and @"tide.txt" say'},
	}),
	play: () => {
		let isRead = false;
		const completing = playing(
			() => [completes],
			() => report,
		);
		return {
			model: asked => {
				isRead ||= JSON.stringify(asked.entries).includes(tide);
				return completing(asked);
			},
			person: async scene => {
				await completed(scene);
				return `the file’s text is ${isRead ? 'added to its prompt' : 'not added'}; done`;
			},
		};
	},
};

const tide = 'The tide turns at seven.';

/** All incidents, in the order of the table. */
export const incidents: readonly Incident[] = [
	...toolIncidents,
	...conversationIncidents,
	messageAtTheEnd,
	mention,
	substitution,
	commits,
	wholeFile,
	noLogin,
	authenticates,
];
