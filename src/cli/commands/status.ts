import type {Command} from 'commander';
import {type AgentTelemetry, readTelemetry} from '../../client/activity/accounts.ts';
import {resultsTable} from '../../client/texts/report/content.ts';
import {spentText} from '../../client/texts/reported-text.ts';
import {filesText} from '../../events/kinds/machine-event.ts';
import {counted, enumerated, shortOid} from '../../lib/text/words.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {defined} from '../../lib/values.ts';
import {mergeStep, statusOf} from '../../rules/status.ts';
import {emptyState} from '../../state/state.ts';
import {branchOf} from '../../supervisor/folder.ts';
import {tryToWakeSupervisor} from '../awake.ts';
import {findHere, type Here, readLastSession} from '../here.ts';
import {faultField, faultLines, print, printJson} from '../output.ts';

export const addStatus = (program: Command): void => {
	program
		.command('status')
		.description('session, agents, inbox')
		.option('--json', 'as JSON')
		.action(showStatus);
};

export const showStatus = async ({json = false}: {readonly json?: boolean}): Promise<void> =>
	printStatus(await findHere(), json);

/** Prints the state of the session and its agents. */
export const printStatus = async (here: Here, json: boolean): Promise<void> => {
	// A supervisor that had to be restarted may have new findings.
	const before = await readLastSession(here);
	await tryToWakeSupervisor(here, before);
	const session = await readLastSession(here, before);
	const told = session === undefined ? {} : await readTelemetry(session.folder.telemetry);
	const status = statusOf(
		session?.state ?? emptyState,
		agent => ({
			worktree: session?.folder.agent(agent).tree ?? '',
			branch: branchOf(agent),
			...besides(told[agent]),
		}),
		thisMoment(),
	);
	if (json) {
		printJson({...status, ...faultField(session)});
	} else if (session === undefined) {
		print(await noneText(here));
	} else {
		print([...faultLines(session), ...statusLines(status, mergeStep(session.state))].join('\n'));
	}
};

const besides = ({at, ...told}: AgentTelemetry = {}) => ({...told, ...defined({reportedAt: at})});

const noneText = async (here: Here): Promise<string> => {
	const {movedSession, noSessionText} = await import('../no-session.ts');
	const moved = await movedSession(here, 'any');
	return moved === undefined
		? `${await noSessionText(here)} Start one: delegate-tui run PLAN.yaml`
		: `${moved.message}\nHint: ${moved.hint}`;
};

export const statusLines = (
	{session, merges, accepted, agents, inbox, urgent, sandbox, notices}: ReturnType<typeof statusOf>,
	step: string | undefined,
): readonly string[] => {
	if (!session) {
		return [];
	}

	return [
		`${session.id}  ${session.status}  into ${session.target}: ${session.task}`,
		...agents.map(agentLine),
		...merges.map(
			({commit, agents: of, stands}) =>
				`${stands ? 'Merged' : 'Taken back'}: ${shortOid(commit)}, the work of ${enumerated(of)}`,
		),
		...(accepted.length === 0 || session.status !== 'ACTIVE'
			? []
			: [
					`Accepted: ${enumerated(accepted)}; to merge that now: delegate-tui sync ${accepted.join(' ')}`,
				]),
		...(agents.some(({results}) => results.length > 0) ? [resultsTable(agents).trimEnd()] : []),
		...notices.flatMap(({text, hints = []}) => [text, ...hints.map(line => `  ${line}`)]),
		...(session.status === 'ACTIVE' || session.status === 'MERGING'
			? [`Sandbox: ${filesText(sandbox)}`]
			: []),
		...(step === undefined ? [] : [step]),
		inbox === 0
			? 'Nothing waits for you.'
			: `${inbox} waiting for you${urgent === 0 ? '' : `, ${urgent} urgent`}: delegate-tui inbox`,
	];
};

const agentLine = (agent: ReturnType<typeof statusOf>['agents'][number]): string => {
	const {id, state, progress, filesModified, subtask, rivals, messages, tokens, cost} = agent;
	const waitsFor = [agent.waitingFor ?? [], agent.alsoWaitingFor].flat();
	const spent = spentText({tokens, cost});
	const beside = [
		...(rivals.length === 0 ? [] : [`rival of ${enumerated(rivals)}`]),
		...(waitsFor.length === 0 ? [] : [`waits for ${waitsFor.join(', ')}`]),
		...(agent.pausedAt === null ? [] : ['paused by you']),
		...(messages.length === 0 ? [] : [`${counted(messages.length, 'message')} queued`]),
		...(spent === '' ? [] : [spent]),
	].map(text => `  (${text})`);
	const below = [agent.limit === null ? [] : agent.why, agent.conditions.map(({text}) => text)];
	return [
		`  ${id}  ${state.padEnd(10)} ${String(progress ?? 0).padStart(3)} %  ${counted(filesModified, 'file')}  ${subtask}${beside.join('')}`,
		...below.flat().map(text => `    ${text}`),
	].join('\n');
};
