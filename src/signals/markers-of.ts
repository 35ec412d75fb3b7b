import {type Signal, signals} from './index.ts';

/** Returns what may stand in the text for such a signal, as a plan's `expect` names it. */
export const markersOf = (signal: Signal): readonly string[] =>
	signal.kind === 'signal' ? [signal.name] : (markers.get(signal.kind) ?? []);

const markers: ReadonlyMap<string, readonly string[]> = new Map(
	signals.map(({kind}) => [
		kind,
		signals.filter(other => other.kind === kind).map(({marker}) => marker),
	]),
);
