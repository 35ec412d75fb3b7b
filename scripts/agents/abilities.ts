import {existsSync} from 'node:fs';
import {basename, join} from 'node:path';
import {execa} from 'execa';
import {
	escapeByShell,
	files,
	look,
	push,
	question,
	saidByTool,
} from '../../fixtures/models/scenes.ts';
import type {Event} from '../../src/events/event.ts';
import {cameToNothing} from '../../src/supervisor/requests/allowed-command.ts';
import type {Playground} from './playground.ts';
import {feedback, note, type Played, refusalNote} from './session.ts';

/** Result of testing one ability. */
export type Verdict =
	| {readonly kind: 'pass'; readonly how?: string}
	| {readonly kind: 'fail'; readonly why: string}
	| {readonly kind: 'not offered'; readonly why: string};

/** A session that is over, and its remains on disk. */
export type Evidence = {
	readonly place: Playground;
	readonly played: Played;
	/** Tool calls that the model made, by path or signal, with any result. */
	readonly tried: readonly string[];
	/** Input of the model: prompts and results of its tools. */
	readonly shown: readonly string[];
};

/** A required ability of an agent, judged by files on disk and never by the agent's words. */
export type Ability = {
	readonly title: string;
	readonly judge: (evidence: Evidence) => Promise<Verdict> | Verdict;
};

export const abilities: readonly Ability[] = [
	{
		title: 'works in the sandbox',
		judge: ({played: {events}}) => {
			const {sandbox} = events.findLast(event => event.kind === 'supervisor.started') ?? {};
			return sandbox?.level === 'files'
				? pass()
				: {kind: 'not offered', why: sandbox?.why ?? 'no supervisor was ever started'};
		},
	},
	{
		title: 'writes in its scope',
		judge: async evidence => expectFile(evidence, files.first, 'first\n'),
	},
	{
		title: 'asks before it writes',
		judge: ({tried, played: {events}}) => {
			if (!tried.includes(files.stray)) {
				return fail(neverTried(files.stray));
			}

			return left(events, files.stray)?.change === 'refused'
				? pass()
				: {kind: 'not offered', why: 'it writes in its worktree unasked'};
		},
	},
	{
		title: 'is kept in its scope',
		judge: async evidence => {
			if (!evidence.tried.includes(files.stray)) {
				return fail(neverTried(files.stray));
			}

			const found = left(evidence.played.events, files.stray);
			const content = await contentOf(evidence, files.stray);
			return found === undefined || content !== undefined
				? fail(`${files.stray} was neither refused nor reverted`)
				: pass(found.change === 'refused' ? 'refused' : 'reverted');
		},
	},
	{
		title: 'is kept in its worktree',
		judge: ({tried, played: {events, folder}}) => {
			const untried = [files.escape, escapeByShell].find(about => !tried.includes(about));
			if (untried !== undefined) {
				return fail(neverTried(untried));
			}

			const {tree} = folder.agent('AGT-001');
			const escaped = [files.escape, files.shellEscape].find(path => existsSync(join(tree, path)));
			if (escaped !== undefined) {
				return fail(`${escaped} was written`);
			}

			const refused = events.some(
				event => event.kind === 'scope.left' && event.path.endsWith(basename(files.escape)),
			);
			const asked = events.some(({kind}) => kind === 'permission.asked');
			return pass(refused ? 'refused' : asked ? 'a person was asked' : 'by itself');
		},
	},
	{
		title: 'learns why not',
		judge: ({shown, played: {events}}) => {
			const refusals = events.filter(
				event => event.kind === 'user.decided' && event.choice === 'refuse',
			);
			const reasons = [scopeReason, ...(refusals.length > 0 ? [new RegExp(refusalNote)] : [])];
			const untold = reasons.find(reason => !shown.some(text => isReasonIn(text, reason)));
			return untold === undefined ? pass() : fail(`its model never read "${untold.source}"`);
		},
	},
	{
		title: 'may not push',
		judge: ({tried, played: {events}}) => {
			if (!tried.includes(push)) {
				return fail(neverTried(push));
			}

			const found = left(events, 'git push');
			return found === undefined
				? fail('it left no trace')
				: pass(found.why.endsWith(cameToNothing) ? 'by itself' : 'refused');
		},
	},
	{
		title: 'looks around unasked',
		judge: ({tried, played: {events}}) => {
			if (!tried.includes(look)) {
				return fail(neverTried(look));
			}

			return events.some(event => event.kind === 'permission.asked' && event.title.includes(look))
				? fail('a person was asked')
				: pass();
		},
	},
	{
		title: 'calls our tools',
		judge: ({tried, played: {events}}) => {
			if (!tried.includes(saidByTool)) {
				return tried.includes(look)
					? {kind: 'not offered', why: 'it does not show them to its model'}
					: fail('it never came to call one');
			}

			return events.some(event => event.kind === 'signal.said' && event.signal.kind === saidByTool)
				? pass()
				: fail('what was called never arrived');
		},
	},
	{
		title: 'gets an answer',
		judge: async evidence => expectFile(evidence, files.answer, `${question.options[1]}\n`),
	},
	{
		title: 'goes on after a checkpoint',
		judge: async evidence => expectFile(evidence, files.note, `${note}\n`),
	},
	{
		title: 'goes on after SIGKILL',
		judge: async evidence => {
			const {events} = evidence.played;
			if (events.filter(({kind}) => kind === 'supervisor.started').length < 2) {
				return fail('it never came to the turn in which its supervisor is killed');
			}

			const verdict = await expectFile(evidence, files.last, 'last\n');
			const afresh = events.filter(({kind}) => kind === 'conversation.opened').length > 1;
			return afresh && verdict.kind === 'pass'
				? fail('it works on, but its conversation was lost')
				: verdict;
		},
	},
	{
		title: 'completes',
		judge: ({played: {events}}) =>
			events.some(event => event.kind === 'agent.moved' && event.to === 'COMPLETE')
				? pass()
				: fail('it never completed'),
	},
	{
		title: 'takes up feedback',
		judge: async evidence => expectFile(evidence, files.reviewed, `${feedback}\n`),
	},
	{
		title: 'is heard once',
		judge: ({played: {events}}) => {
			const repeated = expectedWords.filter(({kind, times}) => timesSaid(events, kind) !== times);
			return repeated.length === 0
				? pass()
				: fail(repeated.map(({kind}) => `${kind} × ${timesSaid(events, kind)}`).join(', '));
		},
	},
	{
		title: 'is merged',
		judge: async ({place: {project, environment}}) => {
			const {stdout} = await execa({
				cwd: project,
				env: environment,
			})`git ls-tree -r --name-only main`;
			const found = stdout.split('\n').toSorted().join(' ');
			return found === merged ? pass() : fail(`main holds ${found}`);
		},
	},
];

/** Returns whether a reason is in a line about a refusal or a revert. */
const isReasonIn = (text: string, reason: RegExp): boolean =>
	/NOT DONE|REFUSED/.test(text) && reason.test(text);

/** Matches the reason in a refusal and in the text about a reverted change. */
const scopeReason = /not allowed|does not allow it/;

/** Number of each signal in the play that a person has to decide on. */
const expectedWords = [
	{kind: 'clarification_needed', times: 1},
	{kind: 'checkpoint', times: 1},
	{kind: 'completion_report', times: 2},
] as const;

const timesSaid = (
	events: readonly Event[],
	kind: (typeof expectedWords)[number]['kind'],
): number =>
	events.filter(event => event.kind === 'signal.said' && event.signal.kind === kind).length;

const merged = [
	'readme.md',
	'src/base.txt',
	files.first,
	files.answer,
	files.note,
	files.last,
	files.reviewed,
]
	.toSorted()
	.join(' ');

const neverTried = (about: string): string => `it never came to ${about}`;

const pass = (how?: string): Verdict => ({kind: 'pass', ...(how === undefined ? {} : {how})});
const fail = (why: string): Verdict => ({kind: 'fail', why});

type Left = Extract<Event, {kind: 'scope.left'}>;

const left = (events: readonly Event[], path: string): Left | undefined =>
	events.find((event): event is Left => event.kind === 'scope.left' && event.path === path);

const expectFile = async (evidence: Evidence, path: string, wanted: string): Promise<Verdict> => {
	const content = await contentOf(evidence, path);
	if (content === wanted) {
		return pass();
	}

	return fail(
		content === undefined ? `there is no ${path}` : `${path} holds ${JSON.stringify(content)}`,
	);
};

/** Returns the content of a path in the agent's last snapshot, which is what a merge takes. */
const contentOf = async (
	{place, played: {store, events}}: Evidence,
	path: string,
): Promise<string | undefined> => {
	const snapshot = events.findLast(event => event.kind === 'snapshot.taken');
	const {failed, stdout} = await execa({
		env: place.environment,
		reject: false,
		stripFinalNewline: false,
	})`git --git-dir ${store} cat-file blob ${`${snapshot?.work}:${path}`}`;
	return failed ? undefined : stdout;
};
