import type {AgentProfile, Extension} from '../../../rules/plan/fields.ts';
import {joinWords, splitWords} from '../word-list.ts';

/** Who does a subtask, as a plan file says it: a profile's name, or how to start it. */
export type AgentEntry = string | Pick<AgentProfile, 'protocol' | 'command'>;

/**
Reads the one line that names an agent: a profile, or a command line.

A single word is a profile; what has spaces or a `/` in it, and is no known profile, is a command. `text:` and `acp:` before it say so outright, and how it talks. Nothing is read from an empty line.
*/
export const agentEntry = (line: string, profiles: readonly string[]): AgentEntry | undefined => {
	const text = line.trim();
	if (text === '' || profiles.includes(text)) {
		return text || undefined;
	}

	const [, protocol, rest] = /^(text|acp):(.*)$/s.exec(text) ?? [];
	if (rest !== undefined) {
		return {protocol: protocol === 'acp' ? 'acp' : 'text', command: [...splitWords(rest)]};
	}

	return /[\s/'"]/.test(text) ? {protocol: 'text', command: [...splitWords(text)]} : text;
};

/** Writes an agent as the line that `agentEntry` reads. */
export const agentText = (
	entry: AgentEntry | Pick<Extension, 'extends'> | undefined,
	profiles: readonly string[],
): string => {
	if (entry === undefined || typeof entry === 'string') {
		return entry ?? '';
	}

	if ('extends' in entry) {
		return entry.extends;
	}

	const line = joinWords(entry.command);
	const read = agentEntry(line, profiles);
	return entry.protocol === 'text' && typeof read === 'object' && read.protocol === 'text'
		? line
		: `${entry.protocol}: ${line}`;
};
