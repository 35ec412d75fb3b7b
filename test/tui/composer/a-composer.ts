import {renderToString} from 'ink';
import {createElement} from 'react';
import {parse} from 'yaml';
import {type Input, update} from '../../../src/tui/composer/controller.ts';
import {type Desk, firstAgent} from '../../../src/tui/composer/desk.ts';
import {composerActions} from '../../../src/tui/composer/keys.ts';
import {beginComposition, type Composition} from '../../../src/tui/composer/model/composition.ts';
import {type Context, type Effect, startView} from '../../../src/tui/composer/model/view.ts';
import {judgePlan} from '../../../src/tui/composer/plan/judgement.ts';
import {openPlan} from '../../../src/tui/composer/plan/open-plan.ts';
import {ComposerFrame} from '../../../src/tui/composer/screen.tsx';
import type {Size} from '../../../src/tui/terminal/full-screen.ts';
import {themeFor} from '../../../src/tui/theme.ts';
import {keyboard, small, type TestScreen} from '../a-screen.ts';

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
	profiles: {
		claude: {protocol: 'acp', command: ['claude-acp']},
		codex: {protocol: 'text', command: ['codex', 'exec'], env: {TOKEN: 'secret'}},
	},
	isThere: () => false,
	missingProgram: () => undefined,
	planner: 'claude',
	timeoutMs: 3_600_000,
	filesLimit: 20,
	branch: 'main',
};

/** The composer without a terminal: what is known, where the person is, and the frame that comes of both. */
export type TestComposer = Pick<TestScreen, 'press' | 'type' | 'frame' | 'notice'> & {
	readonly context: () => Context;
	readonly take: (input: Input) => void;
	/** What was asked for outside the screen, in order. */
	readonly effects: () => readonly Effect[];
	readonly composition: () => Composition;
};

export type ComposerStart = {
	readonly known?: Partial<Desk>;
	readonly task?: string;
	readonly composition?: Composition;
	readonly size?: Size;
};

/** Opens the composer; whoever looks finds the plan judged as it is. */
export const openComposer = ({
	known = {},
	task = '',
	composition,
	size = small,
}: ComposerStart = {}): TestComposer => {
	const here = {...desk, ...known};
	let view = startView(size, composition ?? beginComposition(task, firstAgent(here)));
	const effects: Effect[] = [];
	let judgement = judgePlan(here, view.composition);
	const context = (): Context => {
		if (judgement.composition !== view.composition) {
			judgement = judgePlan(here, view.composition);
		}

		return {desk: here, view, judgement, table: composerActions};
	};

	const take = (input: Input): void => {
		// While somebody writes, the plan is judged when they pause.
		const isWriting = view.dialog.kind === 'writing';
		const outcome = update(
			isWriting ? {desk: here, view, judgement, table: composerActions} : context(),
			input,
		);
		view = outcome.view;
		effects.push(...outcome.effects);
	};

	return {
		context,
		...keyboard(key => take({kind: 'key', key})),
		take,
		frame: () =>
			renderToString(
				createElement(ComposerFrame, {
					context: context(),
					theme: themeFor('auto', {NO_COLOR: '1'}),
				}),
				{columns: view.size.columns},
			),
		effects: () => effects,
		notice: () => view.notice?.text,
		composition: () => view.composition,
	};
};

/** Writes a plan with two agents that is ready to be run, but for a warning. */
export const composeTwo = (composer: TestComposer): TestComposer => {
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
		composer.type(text);
		composer.press(...keys);
	}

	return composer;
};

/** Returns a plan file as the form shows it. */
export const opened = (text: string): Composition => {
	const read = openPlan(text, Object.keys(desk.profiles));
	if ('why' in read) {
		throw new Error(read.why);
	}

	return read.composition;
};

/** Returns the agents of the plan that was handed over last. */
export const handedOver = (
	composer: TestComposer,
): readonly Readonly<Record<string, unknown>>[] => {
	const effect = composer.effects().at(-1);
	return parse(effect?.do === 'run' ? effect.text : '').agents;
};
