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
	return `${timeOfDay(event.at)}  ${who}${wordsOf(event)}`;
};

const wordsOf = (event: Event): string => {
	switch (event.kind) {
		case 'session.started':
			return `session ${event.session} started: ${event.plan.task} (into ${event.target})`;
		case 'session.ended':
			return `session ended as ${event.status}: ${event.why}`;
		case 'supervisor.started':
			return startText(event);
		case 'target.moved':
			return `the target moved to ${shortOid(event.to)}`;
		case 'agent.moved':
			return `${event.from} → ${event.to}: ${event.why}`;
		case 'workspace.prepared':
			return preparedText(event);
		case 'turn.started':
			return `turn ${event.turn} started (${event.prompt}${event.items.length === 0 ? '' : `, told of ${event.items.join(', ')}`})`;
		case 'turn.changed':
			return changeText(event);
		case 'limit.shared':
			return `shares the login of ${event.metBy}, and waits for the limit that it reached`;
		case 'conversation.opened':
			return event.because === undefined
				? `opened the conversation ${event.conversation}`
				: `refused its prompt in the resumed conversation without a reason, so it begins anew in ${event.conversation} and is told everything again`;
		case 'login.wanted':
			return `wants a login, by ${enumerated(
				event.ways.map(({title}) => title),
				'or',
			)}`;
		case 'commands.announced':
			return `offers ${counted(event.commands.length, 'command')} of its own`;
		case 'permission.asked':
			return `asks permission to ${event.command === undefined ? 'do' : 'run'}: ${event.command ?? event.title}`;
		case 'reply.delivered':
			return `was given the reply to ${event.items.join(', ')}`;
		case 'command.ended':
			return `\`${event.command}\` for ${event.item} ${event.code === null ? (event.why ?? 'was ended by a signal') : `ended with exit code ${event.code}`}`;
		case 'turn.ended':
			return `turn ${event.turn} ended: ${endText(event.end)}`;
		case 'signal.said':
			return signalText(event.signal) + mismatchOf(event);
		case 'question.withdrawn':
			return `took the question ${event.file} back, or has its answer`;
		case 'answer.rejected':
			return `an answer to ${event.item} was set aside: ${event.why} (${event.kept})`;
		case 'tokens.counted':
			return `has used ${event.tokens.toLocaleString('en-US')} tokens${event.money === undefined ? '' : `, $${event.money.toFixed(2)}`}`;
		case 'load.counted':
			return loadText(event);
		case 'scope.left':
			return violationText(event);
		case 'access.denied':
			return `was kept from ${deniedWords[event.to]}: ${event.path}`;
		case 'scope.granted':
			return grantedText(event);
		case 'snapshot.taken':
			return `snapshot ${event.number} (${event.reason}), ${counted(event.files, 'file')} changed in its scope${missedText(event.missed)}${hiddenText(event.hidden)}`;
		case 'snapshot.checked':
			return `the plan’s checks on snapshot ${event.number} ${checkText(event)}`;
		case 'snapshot.restored':
			return `worktree set back to snapshot ${event.number}`;
		case 'user.decided':
			return decisionText(event);
		case 'user.steered':
			return `you ${orderText(event.order)}`;
		case 'work.compared':
			return comparedText(event);
		case 'conflict.found':
			return `${event.type} between ${event.a.join('+')} and ${event.b.join('+')} in ${pathToShow(event)}`;
		case 'conflict.gone':
			return `conflict ${event.conflict} is gone`;
		case 'resolution.opened':
			return `resolve ${event.conflict} in ${handMadeIn(event)}`;
		case 'merge.blocked':
			return event.gitSettings === undefined
				? `the merge waits for ${event.conflicts.join(', ')}`
				: `the merge waits for a look at your git settings: ${event.gitSettings.changed.join(', ')} changed`;
		case 'merge.built':
			return `result ${shortOid(event.commit)} built from ${event.agents.join(', ')}: ${counted(event.files, 'file')}`;
		case 'verify.ended':
			return verifyText(event);
		case 'part.checked':
			return partText(event);
		case 'outcome.checked':
			return outcomeText(event);
		case 'merge.undone':
			return `took the merge ${shortOid(event.commit)} back: the target is at ${shortOid(event.to)}`;
		case 'merge.intended':
			return `about to move the target from ${shortOid(event.from)} to ${shortOid(event.commit)}`;
		case 'merge.published':
			return publishedText(event);
		case 'merge.refused':
			return `the target was not moved: ${event.message}`;
		case 'push.changed':
			return `you ${pushWords[event.to]} ${event.remote}/${event.branch} by ${event.commands.map(command => `\`${command}\``).join(' and ')}`;
		case 'machine.disk':
			return `disk: ${event.level}, ${bytesText(event.free)} of ${bytesText(event.total)} free (${event.folder})`;
		case 'machine.survivors':
			return leftText(event);
		case 'machine.waiting':
			return waitingText(event);
		case 'machine.checkout':
			return `written in your checkout while ${enumerated(event.agents)} ${event.agents.length === 1 ? 'was' : 'were'} at work: ${named(event.paths, mostWritten, event.count)}`;
		case 'machine.clock':
			return `the clock was set ${event.byMs < 0 ? 'back' : 'forward'} by ${formatDuration(Math.abs(event.byMs))}; deadlines are unaffected`;
		case 'machine.interrupted':
			return event.left === null
				? 'no interrupted merge or undo remains'
				: notClearedText(event.left);
		case 'machine.documents':
			return event.troubles.join(' ') || 'all documents can be written again';
		case 'machine.questions':
			return (
				[
					...event.troubles,
					...Object.entries(event.items ?? {}).map(([item, why]) => `${item}: ${why}`),
				].join(' ') || 'all files of questions can be read and written again'
			);
		case 'deadline.passed':
			return `deadline passed: ${deadlineText(event.deadline)}`;
		case 'effect.failed':
			return `failed (${effectText(event.effect)}): ${event.message}`;
	}
};

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

/** Returns an effect and its agent, in words. */
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
