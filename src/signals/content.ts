import {type Definition, noLine} from './definition.ts';
import {type Signal, signals} from './index.ts';

/**
Returns what a signal says, however it was said: its text without the line it stood on, who it claims to be from, when, and how its words were broken into lines.

Two signals of one agent with the same content are the same words, be it said by a tool and printed besides.
*/
export const contentOf = ({timestamp: _, agent: __, ...said}: Signal & Claims): string => {
	const definition = definitions.find(({kind}) => kind === said.kind);
	const text = definition?.print({...said, line: noLine}) ?? JSON.stringify(said);
	return `${said.kind} ${text.replaceAll(/\s+/g, ' ').trim()}`;
};

/** What a text may claim of itself. */
type Claims = {readonly timestamp?: unknown; readonly agent?: unknown};

const definitions: readonly Definition[] = signals;
