import {type Definition, type Meaning, noLine} from './definition.ts';
import {type Signal, signals} from './index.ts';

/** Returns the meaning of a signal; one that only a plan knows, or that is malformed, informs. */
export const meaningOf = ({kind}: Signal): Meaning => meanings.get(kind) ?? {kind: 'informs'};

const meanings: ReadonlyMap<string, Meaning> = new Map(
	signals.map(({kind, meaning}) => [kind, meaning]),
);

/** Returns a signal for a person, as one line to follow its agent's name. */
export const signalText = (signal: Signal): string => {
	switch (signal.kind) {
		case 'signal':
			return `${signal.name}: ${signal.value}`;
		case 'malformed':
			return `said a ${signal.signal} that can’t be read (${lineText(signal)}): ${signal.reason}`;
		default:
			return definitionOf(signal)?.told(signal) ?? signal.kind;
	}
};

const lineText = ({line}: Signal): string => (line === noLine ? 'by a tool' : `line ${line}`);

/**
Returns the content of a signal in any form: its text without the line number, the claimed sender, the time, and line breaks.

Two signals of one agent with the same content are the same words, for example sent by tool and printed as well.
*/
export const contentOf = ({timestamp: _, agent: __, ...said}: Signal & Claims): string => {
	const text = definitionOf(said)?.print({...said, line: noLine}) ?? JSON.stringify(said);
	return `${said.kind} ${text.replaceAll(/\s+/g, ' ').trim()}`;
};

type Claims = {readonly timestamp?: unknown; readonly agent?: unknown};

const definitionOf = ({kind}: Pick<Signal, 'kind'>): Definition | undefined => {
	const definitions: readonly Definition[] = signals;
	return definitions.find(definition => definition.kind === kind);
};

/** Returns the markers of a signal, as a plan's `expect` names them. */
export const markersOf = (signal: Signal): readonly string[] =>
	signal.kind === 'signal' ? [signal.name] : (markers.get(signal.kind) ?? []);

const markers: ReadonlyMap<string, readonly string[]> = new Map(
	signals.map(({kind}) => [
		kind,
		signals.filter(other => other.kind === kind).map(({marker}) => marker),
	]),
);
