import type {AgentOrder} from '../../events/agent-order.ts';
import type {Deadline} from '../../events/deadline.ts';
import type {EffectKey} from '../../events/effect-key.ts';
import type {BodyOf, Event, EventOf} from '../../events/event.ts';
import {formatDuration, timeOfDay} from '../../lib/text/duration.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {counted, enumerated, firstOf as named, shortOid} from '../../lib/text/words.ts';
import {foundText, notClearedText, silenceText} from '../../rules/notices.ts';
import {publishedTree} from '../../rules/status.ts';
import {signalText} from '../../signals/meaning.ts';
import {checkText} from '../../state/agent/compared.ts';
import {handMadeIn} from '../../state/item.ts';
import {pathToShow} from '../../state/items/conflict/breakage.ts';
import {doubtedText} from '../../state/items/conflict/resolved.ts';
import {deniedWords} from '../../state/items/scope.ts';
import {lackingTexts} from '../../state/merge/attribution-text.ts';
import {portsText} from '../../state/merge/checked-result.ts';

/** Returns an event as one line for a person. */
export const eventText = (event: Event): string => {
	const who = 'agent' in event && typeof event.agent === 'string' ? `${event.agent}  ` : '';
	return `${timeOfDay(event.at)}  ${who}${wordsOf(event.kind, event)}`;
};

const wordsOf = <Kind extends Event['kind']>(kind: Kind, event: Of<Kind>): string =>
	texts[kind](event);

/** Like `EventOf`, also for a kind that shares its fields with another one. */
type Of<Kind extends Event['kind']> = Event & {readonly kind: Kind};

const pushWords = {
	begun: 'begin to push to',
	done: 'pushed to',
	failed: 'could not push to',
} as const;

const changeText = (event: EventOf<'turn.changed'>): string => {
	switch (event.to) {
		case 'paused':
			return 'paused: the disk is full';
		case 'going':
			return 'goes on';
		case 'silent':
			return silenceText(event);
		case 'quiet':
			return 'no word from its model yet';
		case 'heard':
			return 'responds again';
	}
};

const decisionText = (event: EventOf<'user.decided'>): string => {
	const {item, choice, note, doubts} = event;
	const who = deciderOf(event);
	if (doubts !== undefined) {
		return `${who} decided ${item}: ${choice}; ${doubtedText({choice, doubts})}`;
	}

	return `${who} decided ${item}: ${choice}${note === undefined ? '' : ` (${note})`}`;
};

/** Returns who decided; a file is no person: any process with its owner's rights may have written it. */
const deciderOf = ({by, owner}: EventOf<'user.decided'>): string => {
	if (by === 'file') {
		return `by: file (of user ${owner ?? 'unknown'})`;
	}

	return by === 'user' ? 'you' : `by: ${by}`;
};

const comparedText = ({a, b, findings, more, ...lacking}: EventOf<'work.compared'>): string => {
	const words = lackingTexts(lacking);
	const blocking = findings.filter(finding => finding.blocking);
	const notes = findings.filter(finding => !finding.blocking);
	if (findings.length === 0) {
		return words.length === 0
			? `${a} and ${b} no longer collide`
			: [
					lacking.failed === undefined
						? `There is no known collision between ${a} and ${b}.`
						: `${a} and ${b}:`,
					...words,
				].join(' ');
	}

	return [
		...firstOf(`${a} and ${b} collide`, blocking, blocking.length + more - 1),
		...firstOf(blocking.length > 0 ? 'A note' : `A note on ${a} and ${b}`, notes, notes.length - 1),
		...words,
	].join(' ');
};

const firstOf = (
	intro: string,
	[first]: EventOf<'work.compared'>['findings'],
	others: number,
): readonly string[] =>
	first === undefined
		? []
		: [`${intro}: ${first.type} ${first.summary}${others > 0 ? ` And ${others} more.` : ''}`];

const publishedText = (event: EventOf<'merge.published'>): string => {
	const {commit, from, agents} = event;
	const who = agents.join(', ');
	if (event.redoes !== undefined) {
		return `brought the merge ${shortOid(event.redoes)} back (${who}): the target is at ${shortOid(commit)}`;
	}

	return from === commit
		? `merged ${who}, with nothing new: the target stays at ${shortOid(commit)}`
		: `merged ${shortOid(commit)} (${who})${publishedTree(event)}`;
};

const startText = ({pid, found}: EventOf<'supervisor.started'>): string =>
	`supervisor started (process ${pid})${found === undefined ? '' : `. ${foundText(found)}`}`;

const preparedText = ({rebuilt}: EventOf<'workspace.prepared'>): string =>
	rebuilt === undefined
		? 'worktree ready'
		: `its worktree was gone and was recreated from ${rebuilt.snapshot === null ? 'its base' : `snapshot ${rebuilt.snapshot}`}; what was there instead is kept in ${rebuilt.aside}`;

const leftText = ({processes}: EventOf<'machine.survivors'>): string => {
	const left = processes.map(({pid, command}) => `${pid} ${command}`);
	return left.length === 0
		? 'no process is left any more'
		: `left processes that still run: ${left.join(', ')}`;
};

/** Maximum number of paths in a line. */
const mostWritten = 5;

const waitingText = ({git}: EventOf<'machine.waiting'>): string => {
	if (git === null) {
		return 'git is done';
	}

	const {command, program} = git;
	return program === null
		? `${command} takes long`
		: `${command} waits for ${program.command} (process ${program.pid})`;
};

const loadText = ({memory, processes, cpu, disk, output}: BodyOf<'load.counted'>): string =>
	[
		`uses ${bytesText(memory)} of memory in ${processes} ${processes === 1 ? 'process' : 'processes'}`,
		...(cpu === undefined ? [] : [`has used ${formatDuration(cpu)} of CPU time`]),
		...(disk === undefined ? [] : [`has ${bytesText(disk)} on the disk`]),
		...(output === undefined ? [] : [`has printed ${bytesText(output)}`]),
	].join(', ');

const violationText = ({path, change, why, patch, stuck}: EventOf<'scope.left'>): string => {
	if (change === 'refused') {
		return `was blocked: ${path} (${why})`;
	}

	const end = stuck === undefined ? 'and reverted' : `and can’t be reverted: ${stuck}`;
	return `left its scope: ${path} was ${change} (${why}) ${end}${patch && `; kept in ${patch}`}`;
};

const grantedText = ({paths, left}: EventOf<'scope.granted'>): string =>
	[
		...(paths.length === 0 ? [] : [`granted changes restored: ${paths.join(', ')}`]),
		...left.map(({path, why}) => `${path} was granted, but stays reverted: ${why}`),
	].join('; ');

const missedText = (missed: EventOf<'snapshot.taken'>['missed']): string =>
	missed === undefined ? '' : `, without ${missed.map(({path}) => path).join(', ')}`;

const hiddenText = (hidden: EventOf<'snapshot.taken'>['hidden'] = []): string =>
	hidden
		.map(
			({by, count}) =>
				`; ${counted(count, 'file')} left out ${by === 'rule' ? 'by its own ignore rule' : 'as ignored, although added by force'}`,
		)
		.join('');

const endText = (end: EventOf<'turn.ended'>['end']): string => {
	switch (end.by) {
		case 'exit':
			return `exit code ${end.code}`;
		case 'signal':
			return `killed by ${end.signal}`;
		case 'error':
			return end.cause;
		case 'stopped':
			return 'stopped by the supervisor';
		case 'lost':
			return 'lost with its supervisor';
	}
};

const outcomeText = ({conflict, choice, outcome, why, log}: EventOf<'outcome.checked'>): string => {
	const said = {green: 'passes its check', red: 'fails its check', unclear: 'could not be checked'};
	const more = why === undefined ? '' : `: ${why}`;
	const where = log === null ? '' : ` (see ${log.path})`;
	return `the outcome of ${choice} for ${conflict} ${said[outcome]}${more}${where}`;
};

const partText = ({agents, outcome, why, log}: EventOf<'part.checked'>): string => {
	const what = agents.length === 0 ? 'the target alone' : agents.join('+');
	const said = {green: 'passed', red: 'FAILED', unclear: 'could not be run'}[outcome];
	return `check of ${what} ${said}${why === undefined ? '' : `: ${why}`}${log === null ? '' : ` (${log.path})`}`;
};

const verifyText = ({ok, commands, log}: EventOf<'verify.ended'>): string => {
	if (log === null) {
		return 'nothing to check the result with: the plan has no verify command';
	}

	const ran = commands.map(
		({command, code}) => `\`${command}\` ${code === 0 ? 'ok' : `→ ${code ?? 'ended'}`}`,
	);
	return `check of the result ${ok ? `passed${portsText({commands})}` : 'FAILED'}: ${ran.join(', ')} (${log.path})`;
};

/** Returns the agent that a signal names wrongly, which is shown but ignored: the pipe identifies the agent. */
const mismatchOf = ({agent, signal}: EventOf<'signal.said'>): string =>
	'agent' in signal && signal.agent !== undefined && signal.agent !== agent
		? ` (names itself ${signal.agent})`
		: '';

const effectText = (key: EffectKey): string => ('agent' in key ? `${key.do} ${key.agent}` : key.do);

/** Returns the deadline's subject, in words. */
const deadlineText = (deadline: Deadline): string => {
	switch (deadline.of) {
		case 'retry':
			return `the next try to ${effectText(deadline.effect)}`;
		case 'limit':
			return `the time limit of ${deadline.agent}`;
		case 'near-limit':
			return `most of the time of ${deadline.agent}`;
		case 'closing':
			return `the end of ${deadline.agent}’s turn after its limit`;
		case 'grace':
			return `the time that ${deadline.agent} had to wait in its turn, or to end its turn`;
		case 'start':
			return `the start of ${deadline.agent}`;
		case 'model':
			return `the pause of ${deadline.agent} before it tries its model again`;
		case 'reset':
			return `the limit that ${deadline.agent} reached`;
		case 'listening':
			return `the answer to a call of ${deadline.agent}`;
	}
};

/** Returns a person's order, to follow their name in a sentence. */
const orderText = (order: AgentOrder): string => {
	switch (order.verb) {
		case 'message':
			return `${order.command ? 'had it run its own command' : 'wrote to it'}${order.now ? ', for now' : ''}: ${order.text}`;
		case 'pause':
			return order.visit === undefined
				? 'paused it'
				: 'entered its worktree; it is paused meanwhile';
		case 'resume':
			return `${order.visit === undefined ? 'resumed it' : 'left its worktree'}${order.text === undefined ? '' : `: ${order.text}`}`;
		case 'restart':
			return `started it over${order.from === null ? '' : ` from snapshot ${order.from}`}${order.as === undefined ? '' : ` as ${order.as.profile}`}${order.text === undefined ? '' : `: ${order.text}`}`;
		case 'switch':
			return `switched it to the ${order.what} ${order.to}`;
		case 'grant':
			return `granted it after all: ${order.paths.join(', ')}`;
		case 'check':
			return 'had its work checked';
		case 'stop':
			return 'stopped it for good; its work is kept';
	}
};

/** Texts of events, to follow the agent of one that has an agent. */
const texts: {readonly [Kind in Event['kind']]: (event: Of<Kind>) => string} = {
	'session.started': event =>
		`session ${event.session} started: ${event.plan.task} (into ${event.target})`,
	'session.ended': ({status, why}) => `session ended as ${status}: ${why}`,
	'supervisor.started': startText,
	'target.moved': ({to}) => `the target moved to ${shortOid(to)}`,
	'agent.moved': ({from, to, why}) => `${from} → ${to}: ${why}`,
	'workspace.prepared': preparedText,
	'turn.started': event =>
		`turn ${event.turn} started (${event.prompt}${event.items.length === 0 ? '' : `, told of ${event.items.join(', ')}`})`,
	'turn.changed': changeText,
	'limit.shared': ({metBy}) =>
		`shares the login of ${metBy}, and waits for the limit that it reached`,
	'conversation.opened': event =>
		event.because === undefined
			? `opened the conversation ${event.conversation}`
			: `refused its prompt in the resumed conversation without a reason, so it begins anew in ${event.conversation} and is told everything again`,
	'login.wanted': ({ways}) =>
		`wants a login, by ${enumerated(
			ways.map(({title}) => title),
			'or',
		)}`,
	'commands.announced': ({commands}) => `offers ${counted(commands.length, 'command')} of its own`,
	'permission.asked': ({command, title}) =>
		`asks permission to ${command === undefined ? 'do' : 'run'}: ${command ?? title}`,
	'reply.delivered': ({items}) => `was given the reply to ${items.join(', ')}`,
	'command.ended': event =>
		`\`${event.command}\` for ${event.item} ${event.code === null ? (event.why ?? 'was ended by a signal') : `ended with exit code ${event.code}`}`,
	'turn.ended': ({turn, end}) => `turn ${turn} ended: ${endText(end)}`,
	'signal.said': event => signalText(event.signal) + mismatchOf(event),
	'question.withdrawn': ({file}) => `took the question ${file} back, or has its answer`,
	'answer.rejected': ({item, why, kept}) => `an answer to ${item} was set aside: ${why} (${kept})`,
	'tokens.counted': event =>
		`has used ${event.tokens.toLocaleString('en-US')} tokens${event.money === undefined ? '' : `, $${event.money.toFixed(2)}`}`,
	'load.counted': loadText,
	'scope.left': violationText,
	'access.denied': ({to, path}) => `was kept from ${deniedWords[to]}: ${path}`,
	'scope.granted': grantedText,
	'snapshot.taken': event =>
		`snapshot ${event.number} (${event.reason}), ${counted(event.files, 'file')} changed in its scope${missedText(event.missed)}${hiddenText(event.hidden)}`,
	'snapshot.checked': event => `the plan’s checks on snapshot ${event.number} ${checkText(event)}`,
	'snapshot.restored': ({number}) => `worktree set back to snapshot ${number}`,
	'user.decided': decisionText,
	'user.steered': ({order}) => `you ${orderText(order)}`,
	'work.compared': comparedText,
	'conflict.found': event =>
		`${event.type} between ${event.a.join('+')} and ${event.b.join('+')} in ${pathToShow(event)}`,
	'conflict.gone': ({conflict}) => `conflict ${conflict} is gone`,
	'resolution.opened': event => `resolve ${event.conflict} in ${handMadeIn(event)}`,
	'merge.blocked': ({gitSettings, conflicts}) =>
		gitSettings === undefined
			? `the merge waits for ${conflicts.join(', ')}`
			: `the merge waits for a look at your git settings: ${gitSettings.changed.join(', ')} changed`,
	'merge.built': ({commit, agents, files}) =>
		`result ${shortOid(commit)} built from ${agents.join(', ')}: ${counted(files, 'file')}`,
	'verify.ended': verifyText,
	'part.checked': partText,
	'outcome.checked': outcomeText,
	'merge.undone': ({commit, to}) =>
		`took the merge ${shortOid(commit)} back: the target is at ${shortOid(to)}`,
	'merge.intended': event =>
		`about to move the target from ${shortOid(event.from)} to ${shortOid(event.commit)}`,
	'merge.published': publishedText,
	'merge.refused': ({message}) => `the target was not moved: ${message}`,
	'push.changed': ({to, remote, branch, commands}) =>
		`you ${pushWords[to]} ${remote}/${branch} by ${commands.map(command => `\`${command}\``).join(' and ')}`,
	'machine.disk': event =>
		`disk: ${event.level}, ${bytesText(event.free)} of ${bytesText(event.total)} free (${event.folder})`,
	'machine.survivors': leftText,
	'machine.waiting': waitingText,
	'machine.checkout': ({agents, paths, count}) =>
		`written in your checkout while ${enumerated(agents)} ${agents.length === 1 ? 'was' : 'were'} at work: ${named(paths, mostWritten, count)}`,
	'machine.clock': ({byMs}) =>
		`the clock was set ${byMs < 0 ? 'back' : 'forward'} by ${formatDuration(Math.abs(byMs))}; deadlines are unaffected`,
	'machine.interrupted': ({left}) =>
		left === null ? 'no interrupted merge or undo remains' : notClearedText(left),
	'machine.documents': ({troubles}) => troubles.join(' ') || 'all documents can be written again',
	'machine.questions': ({troubles, items}) =>
		[...troubles, ...Object.entries(items ?? {}).map(([item, why]) => `${item}: ${why}`)].join(
			' ',
		) || 'all files of questions can be read and written again',
	'deadline.passed': ({deadline}) => `deadline passed: ${deadlineText(deadline)}`,
	'effect.failed': ({effect, message}) => `failed (${effectText(effect)}): ${message}`,
};
