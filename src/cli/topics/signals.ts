import type {Definition, FieldHelp} from '../../signals/definition.ts';
import {signals} from '../../signals/index.ts';

/** Returns what agents can say: each signal with its fields and the way it is written. */
export const signalsText = (): string => [INTRODUCTION, ...signals.map(about)].join('\n\n');

const INTRODUCTION = `Agents are heard by the signals that they print, each at the start of a line. Bold, quotes, bullets,
emoji and code fences around one do no harm; one that is only mentioned, not filled in, or one of several
in a fence is an example. What starts like a signal and can't be read is told back to the agent.

delegate-tui signals FILE  tells what a transcript says.`;

const about = ({marker, help, fields, tool, examples}: Definition): string =>
	[
		tool === undefined ? marker : `${marker} (tool: ${tool.name})`,
		indented(help),
		...fields.map(field => indented(described(field))),
		'',
		indented(indented((examples[0] ?? '').trimEnd())),
	].join('\n');

const described = ({name, type, presence, meaning}: FieldHelp): string =>
	`- ${name} (${type}${presence === 'required' ? ', required' : ''}): ${meaning}`;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
