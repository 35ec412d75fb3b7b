import {parse} from 'yaml';
import {emptyState} from '../../../src/state/state.ts';
import type {PlanPlace} from '../../../src/tui/model/view.ts';
import {beginComposition, type Composition} from '../../../src/tui/plan/composition.ts';
import {type Desk, firstAgent} from '../../../src/tui/plan/desk.ts';
import {openPlan} from '../../../src/tui/plan/plan-file.ts';
import type {Size} from '../../../src/tui/terminal/full-screen.ts';
import {openScreen, type TestScreen} from '../a-screen.ts';

const nothing = () => Promise.reject(new Error('Nothing is done outside.'));

/** A repository with two agents in its config. */
export const desk: Desk = {
	purpose: 'start',
	files: [
		'src/api/limit.ts',
		'src/api/routes.ts',
		'src/ui/form.ts',
		'src/ui/login.ts',
		'test/api/limit.test.ts',
	],
	packages: [],
	profiles: {
		claude: {protocol: 'acp', command: ['claude-acp']},
		codex: {protocol: 'text', command: ['codex', 'exec'], env: {TOKEN: 'secret'}},
	},
	isThere: () => false,
	missingProgram: () => undefined,
	planner: 'claude',
	timeoutMs: 3_600_000,
	filesLimit: 20,
	branches: ['main'],
	branch: 'main',
	read: nothing,
	save: nothing,
	conversations: nothing,
	propose: nothing,
	handIn: nothing,
};

/** The form of a plan without a terminal. */
export type TestForm = TestScreen & {
	readonly place: () => PlanPlace;
	readonly composition: () => Composition;
};

export type FormStart = {
	readonly known?: Partial<Desk>;
	readonly task?: string;
	readonly composition?: Composition;
	readonly size?: Size;
};

/** Opens the form of a plan; whoever looks finds the plan judged as it is. */
export const openForm = ({known = {}, task = '', composition, size}: FormStart = {}): TestForm => {
	const here = {...desk, ...known};
	const screen = openScreen(
		{state: emptyState},
		{
			...(size === undefined ? {} : {size}),
			form: {
				desk: here,
				composition: composition ?? beginComposition(task, firstAgent(here)),
			},
		},
	);
	const place = (): PlanPlace => {
		const {place} = screen.context().view;
		if (place.at !== 'plan') {
			throw new Error(`The person is at ${place.at}.`);
		}

		return place;
	};
	return {
		...screen,
		frame: () => {
			screen.take({kind: 'paused'});
			return screen.frame();
		},
		place,
		composition: () => place().composition,
	};
};

/** Writes a plan with two agents that is ready to be run, but for a warning. */
export const composeTwo = (form: TestForm): TestForm => {
	for (const [text, ...keys] of [
		['Rate-limit the API', 'enter'],
		['Express app', 'enter'],
		['npm test passes', 'enter'],
		['npm test', 'enter', 'enter'],
		['Token bucket middleware', 'enter'],
		['Requests over the limit get 429', 'enter', 'enter'],
		['src/api/** test/api/**', 'esc', '+'],
		['Say so in the form', 'enter'],
		['The form tells how long to wait', 'enter', 'enter'],
		['src/**', 'enter'],
		['src/ui/login.ts', 'enter', 'ctrl+u'],
		['bash agent.sh "two words"', 'esc'],
	] as const) {
		form.type(text);
		form.press(...keys);
	}

	return form;
};

/** Returns a plan file as the form shows it. */
export const opened = (text: string): Composition => {
	const read = openPlan(text, Object.keys(desk.profiles));
	if ('why' in read) {
		throw new Error(read.why);
	}

	return read.composition;
};

/** Returns the agents of the plan that was handed in last. */
export const handedIn = (form: TestForm): readonly Readonly<Record<string, unknown>>[] => {
	const effect = form.effects().at(-1);
	return parse(effect?.do === 'hand-in' ? effect.text : '').agents;
};
