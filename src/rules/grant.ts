import type {Body} from '../events/event.ts';
import type {Command} from './command.ts';

/** Returns what a granted command is in the journal. */
export const eventOf = (command: Command): readonly Body[] => {
	switch (command.kind) {
		case 'start':
			return command.approved
				? [
						command.event,
						{kind: 'user.decided', item: 'p-1', choice: 'approve', by: approver(command)},
					]
				: [command.event];
		case 'add':
			return [
				{
					kind: 'user.decided',
					item: 'session',
					choice: 'add',
					by: 'user',
					subtask: command.subtask,
				},
			];
		case 'stop':
			return [{kind: 'user.decided', item: 'session', choice: 'stop', by: 'user'}];
		case 'decide': {
			const {item, choice, note, by, plan, warnings, subtask, seen} = command;
			return [
				{
					kind: 'user.decided',
					item,
					choice,
					by,
					...(note === undefined ? {} : {note}),
					...(plan === undefined ? {} : {plan}),
					...(warnings === undefined ? {} : {warnings}),
					...(subtask === undefined ? {} : {subtask}),
					...(seen?.files === undefined ? {} : {files: seen.files}),
				},
			];
		}
	}
};

const approver = ({event}: Extract<Command, {kind: 'start'}>): 'demo' | 'user' =>
	event.demo ? 'demo' : 'user';
