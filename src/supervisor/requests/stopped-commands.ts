import type {Request} from '../../agents/acp/permission/gate.ts';
import type {Detail} from '../../agents/acp/speech/activity.ts';
import {remoteCommand} from './remote-command.ts';

/** Watches one turn of an agent for commands that should have reached other machines. */
export type StoppedCommands = {
	/** Takes what the agent asks leave for: what becomes of that leaves a trace of its own. */
	readonly asked: (request: Pick<Request, 'command'>) => void;
	readonly hear: (detail: Detail) => void;
	/** Takes a command that is known to have come to nothing. */
	readonly failed: (command: string) => void;
};

/** Why such a command is told, where nobody was asked about it. */
export const cameToNothing = 'it reaches beyond this machine; it came to nothing';

/** Tells of each such command that came to nothing, by the agent's own rules or by those of its repository, once in a turn. */
export const watchForStopped = (onStopped: (what: string) => void): StoppedCommands => {
	const known = new Set<string>();
	const failed = (command: string): void => {
		const what = remoteCommand(command);
		if (what !== undefined && !known.has(what)) {
			known.add(what);
			onStopped(what);
		}
	};

	return {
		asked: ({command = ''}) => {
			const what = remoteCommand(command);
			if (what !== undefined) {
				known.add(what);
			}
		},
		hear: detail => {
			if (detail.kind === 'tool' && detail.status === 'failed') {
				failed(detail.command ?? '');
			}
		},
		failed,
	};
};
