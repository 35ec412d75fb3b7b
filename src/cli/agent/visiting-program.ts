import {existsSync} from 'node:fs';
import {installCommand} from '../../agents/profiles/profile.ts';
import {profileOf} from '../../agents/profiles/profiles.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {ownHomeIn} from '../../supervisor/perform/start/own-home.ts';
import {editorCommand, mayHaveWindow, requireEditor} from '../edit-file.ts';

/** What a person uses in the worktree of an agent. */
export type Program = {
	readonly command: readonly string[];
	/** Laid over the person's own. */
	readonly environment: Readonly<Record<string, string>>;
	/** Whether it has a window of its own, or may: that one can be open for other folders, too, and outlast the visit. */
	readonly hasWindow: boolean;
	/** What it is, in a word. */
	readonly name: string;
	/** What a person calls it, where it is a shell that starts it. */
	readonly title?: string;
	/** What to do where it can't be started. */
	readonly hint: string;
};

export const shellProgram = (): Program => ({
	command: [process.env.SHELL || '/bin/sh'],
	environment: {},
	hasWindow: false,
	name: 'shell',
	hint: 'set SHELL to another one',
});

/** Opens the whole folder, which every editor with a list of files can. */
export const editorProgram = (): Program => {
	const editor = requireEditor(process.env);
	return {
		command: editorCommand(editor, '.'),
		environment: {},
		hasWindow: mayHaveWindow(editor, process.env),
		name: 'editor',
		title: editor,
		hint: 'set VISUAL or EDITOR to one that is installed',
	};
};

/**
Returns whether an editor has probably only handed the folder to a window of its own, in which the person is at work now.

Nobody reads a folder in so short a time; who has changed something was there.
*/
export const isStillOpen = (
	{title}: Pick<Program, 'title'>,
	{tookMs, changed}: {readonly tookMs: number; readonly changed: number},
): boolean => title !== undefined && changed === 0 && tookMs < handedOverMs;

const handedOverMs = 2000;

/**
Returns the agent's own program, as it goes on with the agent's conversation in a terminal; `launch` is the folder that the agent is started from.

Where the agent has a home of settings of its own, its conversation may be there and nowhere else.

@throws `Failure` of kind `refused` where there is no such program, or no conversation yet
*/
export const ownProgram = ({id, subtask, conversation}: Agent, launch: string): Program => {
	const profile = profileOf(subtask.agent);
	const attach = subtask.agent.protocol === 'acp' ? profile?.attach : undefined;
	if (profile === undefined || attach === undefined) {
		throw new Failure('refused', `${id} has no program that goes on with its conversation.`, {
			hint: `delegate-tui agent ${id} shell opens its worktree`,
		});
	}

	if (conversation === undefined) {
		throw new Failure('refused', `${id} has not opened a conversation yet.`, {
			hint: 'try again once it has begun',
		});
	}

	const home = ownHomeIn(launch);
	const variable = existsSync(home) ? profile.settingsHome?.variable : undefined;
	return {
		command: attach(conversation),
		environment: variable === undefined ? {} : {[variable]: home},
		hasWindow: false,
		name: 'program',
		hint: `it comes with ${profile.title}: ${installCommand(profile.print)}`,
	};
};
