import type {Command} from 'commander';
import {eventText} from '../../client/texts/event-text.ts';
import {itemText} from '../../client/texts/item-text.ts';
import {resultsTable} from '../../client/texts/report/content.ts';
import type {Event} from '../../events/event.ts';
import {encodeLine} from '../../journal/codec.ts';
import {Failure} from '../../lib/failure.ts';
import {summedUp} from '../../state/agent/awaiting.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../../supervisor/folder.ts';
import type {Config} from '../config/config.ts';
import {followUntilEnd} from '../follow-session.ts';
import {findHere, type Here, type LastSession, readLastSession, requireSound} from '../here.ts';
import {columnsHere, drained, print, printBarred} from '../output.ts';
import {composePlan} from '../plan/compose.ts';
import {planAgain} from '../plan/plan-again.ts';
import {type ReadPlan, readAskedPlan, readPlan, readPlanText} from '../plan/read-plan.ts';
import {startPlan} from '../plan/start-plan.ts';
import {isAtTerminal} from '../questions.ts';
import {requirePerson} from '../reach-supervisor.ts';
import {settleConfig} from '../require-config.ts';
import {canShowScreen, showSession} from '../show-session.ts';
import {inboxItems} from './inbox.ts';

type Options = {again?: boolean; headless?: boolean; json?: boolean; yes?: boolean};

export const addRun = (program: Command): void => {
	program
		.command('run [plan]')
		.description('start from a plan file')
		.option('--again', 'take the plan of the last session; on the screen, change it first')
		.option('--headless', 'text instead of the screen')
		.option('--json', 'one event per line, as journaled')
		.option('--yes', 'approve the plan, warnings included')
		.action(async (file: string | undefined, options: Options) => {
			requireOne(file, options);
			const here = await findHere();
			requirePerson(here, options.yes ? 'deciding' : 'starting');
			const config = await settleConfig(here, options);
			const isSeen = canShowScreen() && !options.headless && !options.json;
			if (file === undefined && isSeen && !options.yes) {
				await openAgain(here, config);
				return;
			}

			const approved = options.yes ?? false;
			const parts = {repository: here.repository, config};
			// On the screen the form of the plan asks.
			const asks = isAtTerminal() && !isSeen && !options.json && !approved;
			const plan = await (file === undefined
				? readPlanAgain(here, config)
				: asks
					? readAskedPlan(file, parts)
					: readPlan(file, parts));
			const session = await startPlan(here, config, plan, {approved, demo: false});
			if (isSeen) {
				await showSession(here, session, config);
				return;
			}

			const onEvents = sessionPrinter(options, here, session.folder);
			const state = await followUntilEnd(here, session.folder, onEvents);
			if (!options.json) {
				print(`\n${aggregate(state)}`);
			}

			process.exitCode = state.agents.some(agent => agent.state === 'MERGED') ? 0 : 1;
		});
};

const requireOne = (file: string | undefined, {again}: Options): void => {
	if ((file === undefined) === (again !== true)) {
		throw new Failure(
			'usage',
			file === undefined
				? 'There is no plan to start from.'
				: 'A plan file and --again are two plans; give one of them.',
			{hint: 'delegate-tui run PLAN.yaml, or delegate-tui run --again'},
		);
	}
};

/** Lets the person change the plan of the last session, and start it. */
const openAgain = async (here: Here, config: Config): Promise<void> => {
	const {last, text} = await lastPlan(here, config);
	const started = await composePlan(here, config, {begin: {text}, last});
	if (started !== undefined) {
		await showSession(here, started, config);
	}
};

const readPlanAgain = async (here: Here, config: Config): Promise<ReadPlan> => {
	const {last, text} = await lastPlan(here, config);
	return readPlanText(text, {
		file: `the plan of ${last.id}`,
		repository: here.repository,
		config,
	});
};

/** Returns the plan of the last session as a file, with the environments of its agents. */
const lastPlan = async (
	here: Here,
	config: Config,
): Promise<{readonly last: LastSession; readonly text: string}> => {
	const last = await readLastSession(here);
	requireSound(here, last);
	if (last === undefined) {
		throw new Failure('refused', 'No session was started in this repository yet.', {
			hint: 'delegate-tui run PLAN.yaml starts one',
		});
	}

	return {last, text: await planAgain(config, last)};
};

const aggregate = ({agents}: State): string =>
	resultsTable(agents.map(agent => ({id: agent.id, results: summedUp(agent)}))).trimEnd();

/** Returns a function that prints each event, and waiting items as soon as they appear. */
export const sessionPrinter = (
	{json}: Pick<Options, 'json'>,
	here: Here,
	folder: SessionFolder,
): ((events: readonly Event[], state: State) => Promise<void>) => {
	const shown = new Set<string>();
	return async (events, state) => {
		for (const event of events) {
			printEvent(event, json ?? false);
			await drained();
		}

		const items = json ? [] : await inboxItems({state, folder});
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
