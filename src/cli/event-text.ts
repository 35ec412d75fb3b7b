import type {Event} from '../events/event.ts';
import {bytesText, foundText} from '../rules/notices.ts';
import {signalText} from './signal-text.ts';

/** Returns an event as one line for a person. */
export const eventText = (event: Event): string => {
	const who = 'agent' in event && typeof event.agent === 'string' ? `${event.agent}  ` : '';
	return `${event.at.slice(11, 19)}  ${who}${wordsOf(event)}`;
};

const wordsOf = (event: Event): string => {
	switch (event.kind) {
		case 'session.started':
			return `session ${event.session} started: ${event.plan.task} (into ${event.target})`;
		case 'session.ended':
			return `session ended as ${event.status}: ${event.why}`;
		case 'supervisor.started':
			return `supervisor started (process ${event.pid})`;
		case 'target.moved':
			return `the target moved to ${short(event.to)}`;
		case 'agent.moved':
			return `${event.from} → ${event.to}: ${event.why}`;
		case 'workspace.prepared':
			return 'worktree ready';
		case 'turn.started':
			return `turn ${event.turn} started (${event.prompt})`;
		case 'conversation.opened':
			return `opened the conversation ${event.conversation}`;
		case 'permission.asked':
			return `asks leave to ${event.command === undefined ? 'do' : 'run'}: ${event.command ?? event.title}`;
		case 'reply.delivered':
			return `was given the reply to ${event.items.join(', ')}`;
		case 'turn.ended':
			return `turn ${event.turn} ended: ${endText(event.end)}`;
		case 'signal.said':
			return signalText(event.signal);
		case 'scope.left':
			return event.change === 'refused'
				? `was refused: ${event.path} (${event.why})`
				: `left its scope: ${event.path} was ${event.change} (${event.why}) and put back; kept in ${event.patch}`;
		case 'snapshot.taken':
			return `snapshot ${event.number} (${event.reason}), ${event.files} files changed in its scope`;
		case 'snapshot.restored':
			return `worktree set back to snapshot ${event.number}`;
		case 'user.decided':
			return `${event.by === 'user' ? 'you' : `by: ${event.by}`} decided ${event.item}: ${event.choice}${event.note === undefined ? '' : ` (${event.note})`}`;
		case 'conflict.found':
			return `${event.type} between ${event.a.join('+')} and ${event.b.join('+')} in ${event.path}`;
		case 'conflict.gone':
			return `conflict ${event.conflict} is gone`;
		case 'resolution.opened':
			return `resolve ${event.conflict} in ${event.folder}/files`;
		case 'merge.blocked':
			return `the merge waits for ${event.conflicts.join(', ')}`;
		case 'merge.built':
			return `result ${short(event.commit)} built from ${event.agents.join(', ')}: ${event.files} files`;
		case 'verify.ended':
			return verifyText(event);
		case 'merge.undone':
			return `took the merge ${short(event.commit)} back: the target is at ${short(event.to)}`;
		case 'merge.intended':
			return `about to move the target from ${short(event.from)} to ${short(event.commit)}`;
		case 'merge.published':
			return `merged ${short(event.commit)} (${event.agents.join(', ')})`;
		case 'merge.refused':
			return `not merged: ${event.message}`;
		case 'workspace.rebuilt':
			return `its worktree was gone and was made anew from ${event.snapshot === null ? 'its base' : `snapshot ${event.snapshot}`}; what was there instead is kept in ${event.aside}`;
		case 'turn.paused':
			return 'paused: the disk is full';
		case 'turn.continued':
			return 'goes on';
		case 'disk.changed':
			return `disk: ${event.level}, ${bytesText(event.free)} of ${bytesText(event.total)} free (${event.folder})`;
		case 'processes.survived':
			return event.processes.length === 0
				? 'no process is left any more'
				: `left processes that still run: ${event.processes.map(({pid, command}) => `${pid} ${command}`).join(', ')}`;
		case 'restart.found':
			return foundText(event);
		case 'deadline.passed':
			return `deadline passed: ${event.deadline}`;
		case 'effect.failed':
			return `failed (${event.effect}): ${event.message}`;
	}
};

const short = (oid: string): string => oid.slice(0, 10);

const endText = (end: Extract<Event, {kind: 'turn.ended'}>['end']): string => {
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

const verifyText = ({ok, commands, log}: Extract<Event, {kind: 'verify.ended'}>): string => {
	if (log === null) {
		return 'nothing to check the result with: the plan has no verify command';
	}

	const ran = commands.map(
		({command, code}) => `\`${command}\` ${code === 0 ? 'ok' : `→ ${code ?? 'ended'}`}`,
	);
	return `check of the result ${ok ? 'passed' : 'FAILED'}: ${ran.join(', ')} (${log.path})`;
};
