import type {Command} from 'commander';
import {eventText} from '../../client/texts/event-text.ts';
import {itemText} from '../../client/texts/item-text.ts';
import {resultsTable} from '../../client/texts/report/content.ts';
import type {Event} from '../../events/event.ts';
import {encodeLine} from '../../journal/codec.ts';
import {summedUp} from '../../state/agent/awaiting.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../../supervisor/folder.ts';
import {followUntilEnd} from '../follow-session.ts';
import {findHere, type Here} from '../here.ts';
import {columnsHere, drained, print, printBarred} from '../output.ts';
import {readAskedPlan, readPlan} from '../plan/read-plan.ts';
import {startPlan} from '../plan/start-plan.ts';
import {isAtTerminal} from '../questions.ts';
import {requirePerson} from '../reach-supervisor.ts';
import {settleConfig} from '../require-config.ts';
import {canShowScreen, showSession} from '../show-session.ts';
import {itemsOf} from './inbox.ts';

type Options = {headless?: boolean; json?: boolean; yes?: boolean};

/** `run`: start from a plan file. */
export const addRun = (program: Command): void => {
	program
		.command('run <plan>')
		.description('start from a plan file')
		.option('--headless', 'text instead of the screen')
		.option('--json', 'one event per line, as journaled')
		.option('--yes', 'approve the plan, warnings included')
		.action(async (file: string, options: Options) => {
			const here = await findHere();
			requirePerson(here, options.yes ? 'deciding' : 'starting');
			const config = await settleConfig(here, options);
			const isSeen = canShowScreen() && !options.headless && !options.json;
			const approved = options.yes ?? false;
			const parts = {repository: here.repository, config};
			// On the screen the form of the plan asks.
			const asks = isAtTerminal() && !isSeen && !options.json && !approved;
			const plan = await (asks ? readAskedPlan(file, parts) : readPlan(file, parts));
			const session = await startPlan(here, config, plan, {approved, demo: false});
			if (isSeen) {
				await showSession(here, session, config);
				return;
			}

			const onEvents = printer(options, here, session.folder);
			const state = await followUntilEnd(here, session.folder, onEvents);
			if (!options.json) {
				print(`\n${aggregate(state)}`);
			}

			process.exitCode = state.agents.some(agent => agent.state === 'MERGED') ? 0 : 1;
		});
};

/** Returns what all agents brought in the end. */
const aggregate = ({agents}: State): string =>
	resultsTable(agents.map(agent => ({id: agent.id, results: summedUp(agent)}))).trimEnd();

/** Prints each event, and what waits for a person as soon as it does. */
const printer = (
	{json}: Options,
	here: Here,
	folder: SessionFolder,
): ((events: readonly Event[], state: State) => Promise<void>) => {
	const shown = new Set<string>();
	return async (events, state) => {
		for (const event of events) {
			printEvent(event, json ?? false);
			await drained();
		}

		const items = json ? [] : await itemsOf({state, folder});
		for (const item of items.filter(({id}) => !shown.has(id))) {
			shown.add(item.id);
			print(
				`\nWaiting for you:\n${itemText(item, here.folder.store, columnsHere())}\n    → delegate-tui answer ${item.id} CHOICE\n`,
			);
		}
	};
};

const printEvent = (event: Event, json: boolean): void => {
	if (json) {
		process.stdout.write(encodeLine(event));
		return;
	}

	printBarred(eventText(event));
	if (event.kind === 'session.started') {
		event.warnings.forEach(print);
	}
};
