import {dirname} from 'node:path';
import {parse, stringify} from 'yaml';
import type {Asked} from '../client/supervisor/request-within.ts';
import {mergeByTool} from '../git/merge/merge-tool.ts';
import {failureText} from '../lib/failure.ts';
import {defined, omit} from '../lib/values.ts';
import {planFileOf} from '../rules/plan/plan-file.ts';
import type {State} from '../state/state.ts';
import {keepEnvironments, readEnvironments} from '../supervisor/machine/environments.ts';
import {nextAgentId} from '../supervisor/requests/new-subtask.ts';
import {visitorEnvironment} from '../supervisor/requests/require-person.ts';
import type {Compose, Hint, View} from '../tui/model/view.ts';
import type {ScreenEnding} from '../tui/screen.tsx';
import {visit} from './agent/visit.ts';
import {withProgram} from './agent/with-program.ts';
import {keepLook, readLooks} from './agent/work-so-far.ts';
import type {Config} from './config/config.ts';
import {editFile} from './edit-file.ts';
import {type Here, type LastSession, requireActiveSession} from './here.ts';
import {eventIn, print} from './output.ts';
import {type Composed, compose} from './plan/compose.ts';
import {addedBy} from './plan/preview-subtask.ts';
import {planBeside, planOf, readAdded, readOneAdded} from './plan/read-added.ts';
import {readPlanText} from './plan/read-plan.ts';
import {isAtTerminal} from './questions.ts';
import {askSupervisor, reachSupervisor} from './reach-supervisor.ts';

/** How often an open screen sees to it that there is a supervisor, in milliseconds. */
const careMs = 3000;

/** Whether that terminal can show a screen; a dumb one knows only lines. */
export const canShowScreen = (): boolean => isAtTerminal() && process.env.TERM !== 'dumb';

/** Shows a session on the screen until the person leaves it, and tells how it stands then. */
export const showSession = async (
	here: Here,
	session: LastSession,
	config: Config,
): Promise<void> => {
	const state = await openScreen(here, session, config);
	print(partingWords(state.session?.ended?.why, session.id));
};

export type OpenScreenOptions = {
	/** Says what to try next; without it the screen has no line for that. */
	readonly hint?: Hint;
};

/**
Opens the screen on a session until the person leaves it, and returns the state as last seen on it.

The screen and all it is made of are loaded only here, so that a command that prints text does not wait for them.
*/
export const openScreen = async (
	here: Here,
	session: LastSession,
	config: Config,
	options: OpenScreenOptions = {},
): Promise<State> => {
	let from: View | undefined;
	for (;;) {
		const {state, ending} = await showOnce(here, session, config, {...options, ...defined({from})});
		if (ending.do === 'leave') {
			return state;
		}

		const {
			isChanged,
			tone = 'info',
			text,
		} = await orWhyNot(composed(here, config, {session, state}, ending.compose));
		const place = isChanged ? ({at: 'board'} as const) : ending.view.place;
		from = {...ending.view, place, notice: {tone, text}};
	}
};

/** Tells what keeps a form from being shown, so that it does not take the screen along. */
export const orWhyNot = (composed: Promise<Composed>): Promise<Composed> =>
	composed.catch((error: unknown) => ({isChanged: false, tone: 'bad', text: failureText(error)}));

const composed = (
	here: Here,
	config: Config,
	{session, state}: {readonly session: LastSession; readonly state: State},
	compose: Compose,
): Promise<Composed> => {
	switch (compose.what) {
		case 'plan':
			return editPlan(here, config, {session, state, item: compose.item});
		case 'subtask':
			return addOnScreen(here, config, {state, words: compose.words});
		case 'handed on':
			return handOnScreen(here, config, {session, state, ...compose});
	}
};

type Shown = {readonly state: State; readonly ending: ScreenEnding};

/** Shows it until the person leaves it, or wants to write something that needs the whole screen. */
const showOnce = async (
	here: Here,
	{folder, state}: LastSession,
	config: Config,
	options: OpenScreenOptions & {readonly from?: View},
): Promise<Shown> => {
	const {createLiveStore} = await import('../client/store/live-store.ts');
	const {showScreen} = await import('../tui/screen.tsx');
	const ask = async (request: Asked) => askSupervisor(here, await withProgram(here, request));
	const care = setInterval(() => {
		reachSupervisor(here).then(
			control => control.close(),
			() => {},
		);
	}, careMs);
	const looks = await readLooks(folder, state.agents);
	const store = createLiveStore({
		journal: folder.journal,
		environments: state => readEnvironments(folder.environments, state),
		folders: {
			transcripts: agent => dirname(folder.agent(agent).transcript(1)),
			checks: dirname(folder.verify(1).log),
			commands: folder.commands,
			telemetry: folder.telemetry,
		},
		ask,
	});
	let ending: ScreenEnding;
	try {
		ending = await showScreen({
			store,
			ask,
			edit: (file, versions) =>
				versions === undefined
					? editFile(file, process.env)
					: () =>
							mergeByTool(
								here.repository.root,
								file,
								versions,
								visitorEnvironment(process.env, 'a merge tool'),
							),
			visit: (agent, how) => visit(here, agent, how),
			looks,
			keepLook: (agent, snapshot) => void keepLook(folder.agent(agent), snapshot),
			theme: config.theme,
			keys: config.keys,
			calls: config.notify,
			input: process.stdin,
			output: process.stdout,
			environment: process.env,
			...options,
		});
	} finally {
		clearInterval(care);
	}

	return {state: store.model().state, ending};
};

/** One line for the normal screen, so that nobody wonders whether leaving has ended anything. */
const partingWords = (ended: string | undefined, id: string): string =>
	ended === undefined
		? `Session ${id} goes on without the screen. Come back: delegate-tui   End it: delegate-tui stop`
		: `Session ${id} has ended: ${ended}`;

/**
Lets the person change a plan that waits for its approval, in the form, and hands the changed one in.

What its agents have in their environment is taken along.
*/
const editPlan = async (
	here: Here,
	config: Config,
	{
		session,
		state,
		item,
	}: {readonly session: LastSession; readonly state: State; readonly item: string},
): Promise<Composed> => {
	const plan = state.session?.plan;
	if (plan === undefined) {
		return {isChanged: false, text: 'There is no plan to change.'};
	}

	const environments = await readEnvironments(session.folder.environments, state);
	const ending = await compose(here, config, {
		purpose: 'edit',
		begin: {text: planFileOf(plan, {profiles: config.agents, environments})},
		run: async (text, file) => {
			const changed = await readPlanText(text, {file, repository: here.repository, config});
			await askSupervisor(here, {do: 'decide', item, choice: 'edit', by: 'user', ...changed});
		},
	});
	return ending === 'started'
		? {isChanged: true, text: 'The plan is changed.'}
		: {isChanged: false, text: `${item} still waits for you.`};
};

/** An item that adds an agent by one of its choices. */
export type HandingOn = {
	readonly session: LastSession;
	readonly state: State;
	readonly item: string;
	readonly choice: string;
};

/**
Lets the person change, in the form of a plan, the part of the agent that a choice would add, and decides the item with it.

What its program has in its environment is that of the agent that the item is about, where they name no other one.
*/
const handOnScreen = async (
	here: Here,
	config: Config,
	{session, state, item: id, choice}: HandingOn,
): Promise<Composed> => {
	const added = addedBy(state, id, choice);
	if (added === undefined) {
		return {isChanged: false, text: `${id} does not wait for you any more.`};
	}

	const {item, draft, dropped} = added;
	const kept = await keepEnvironments(session.folder.environments, () => state);
	const environments = {[draft.id]: kept.get(item.agent)};
	const plan = planBeside(state, draft.id, dropped);
	const ending = await compose(here, config, {
		purpose: 'add',
		...defined({instead: dropped}),
		begin: {
			text: planFileOf(
				{...plan, agents: [...plan.agents, draft]},
				{profiles: config.agents, environments},
			),
			joining: 'the last',
		},
		run: async text => {
			const now = await requireActiveSession(here);
			const part = {text: lastPartOf(text), file: 'subtask', dropped};
			const read = omit(await readOneAdded(here, config, now.state, part), 'warnings');
			await askSupervisor(here, {do: 'decide', by: 'user', item: id, choice, ...read});
		},
	});
	return ending === 'started'
		? {isChanged: true, text: `${id}: ${choice}`}
		: {isChanged: false, text: `${id} still waits for you.`};
};

/**
Lets the person write the part of one more agent in the form of a plan, and lets that agent join the session.

The form has the session's whole plan behind it, so that scopes are compared with those of the others, and agents to wait for are known.
*/
const addOnScreen = async (
	here: Here,
	config: Config,
	{state, words}: {readonly state: State; readonly words: string},
): Promise<Composed> => {
	let added = '';
	const ending = await compose(here, config, {
		purpose: 'add',
		begin: {
			text: planFileOf(planOf(state), {profiles: config.agents, environments: {}}),
			joining: {id: nextAgentId(state), words},
		},
		run: async text => {
			const now = await requireActiveSession(here);
			const part = {text: lastPartOf(text), file: 'subtask'};
			const read = omit(await readAdded(here, config, now.state, part), 'warnings');
			const event = eventIn(await askSupervisor(here, {do: 'add', ...read}));
			const {subtask = read.subtask, rivals = []} = event.kind === 'user.decided' ? event : {};
			added = [subtask, ...rivals].map(({id}) => id).join(', ');
		},
	});
	return ending === 'started'
		? {isChanged: true, text: `${added} ${added.includes(',') ? 'join' : 'joins'} the session.`}
		: {isChanged: false, text: 'No agent was added.'};
};

/** The id is given where it joins: another one may have joined since. */
const lastPartOf = (text: string): string => {
	const plan: {agents: Record<string, unknown>[]} = parse(text, {stringKeys: true});
	return stringify(omit(plan.agents.at(-1) ?? {}, 'id'));
};
