import type {Body} from '../../events/event.ts';
import {defined} from '../../lib/values.ts';
import {itemId, type Kind, type SessionChoice, sessionChoiceText} from '../../state/item.ts';
import {kindOf, snoozeWord} from '../../state/items.ts';
import type {Command, Decision} from './command.ts';

export const eventOf = (command: Command): readonly Body[] => {
	switch (command.kind) {
		case 'start':
			return command.approved
				? [
						command.event,
						{
							kind: 'user.decided',
							item: itemId('plan', 1),
							choice: 'approve',
							by: approver(command),
						},
					]
				: [command.event];
		case 'add':
			return [
				{
					...sessionDecided({verb: 'add'}),
					subtask: command.subtask,
					...defined({rivals: command.rivals}),
				},
			];
		case 'stop':
			return [sessionDecided({verb: 'stop'})];
		case 'merge':
			return [sessionDecided({verb: 'merge', agents: command.agents})];
		case 'withdraw':
			return [sessionDecided({verb: 'withdraw', allowance: command.allowance})];
		case 'steer':
			return [{kind: 'user.steered', agent: command.agent, order: command.order}];
		case 'snooze':
			return [{kind: 'user.decided', item: command.item, choice: snoozeWord, by: command.by}];
		case 'answer':
			return command.answers.map(decided);
		case 'decide':
			return [decided(command)];
	}
};

const sessionDecided = (choice: SessionChoice) =>
	({
		kind: 'user.decided',
		item: 'session',
		choice: sessionChoiceText(choice),
		by: 'user',
	}) as const;

const decided = <K extends Kind>({
	on,
	item,
	choice,
	by,
	owner,
	note,
	plan,
	warnings,
	subtask,
	seen,
}: Decision<K>): Body => ({
	kind: 'user.decided',
	item,
	choice: kindOf<K>({kind: on}).words(choice),
	by,
	...defined({
		owner,
		note,
		plan,
		warnings,
		subtask,
		files: seen?.files,
		doubts: seen?.doubts,
		replayed: seen?.replayed,
	}),
});

const approver = ({event}: Extract<Command, {kind: 'start'}>): 'demo' | 'user' =>
	event.demo ? 'demo' : 'user';
