import type {AgentCommand} from './plan.ts';

/**
What a person has one agent do, whatever it is at: no item of the inbox asks for it.

- `message`: it is told something at its next turn; with `now` its turn is cut short for it.
- `pause`: its turn is ended, and none begins; `resume` lets it go on, with words if there are any.
- `restart`: it begins anew, in a new conversation, from a snapshot or where it stands (null), maybe as another program.
- `check`: the plan's checks are run on its last snapshot.
- `stop`: it is out of the session; its work is kept.
*/
export type AgentOrder =
	| {readonly verb: 'message'; readonly text: string; readonly now?: true}
	| {readonly verb: 'pause'}
	| {readonly verb: 'resume'; readonly text?: string}
	| {
			readonly verb: 'restart';
			readonly from: number | null;
			/** The profile that it is from now on, and what that says. */
			readonly as?: {readonly profile: string; readonly agent: AgentCommand};
	  }
	| {readonly verb: 'check'}
	| {readonly verb: 'stop'};
