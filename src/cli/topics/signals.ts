import {fieldText} from '../../signals/block.ts';
import type {Definition} from '../../signals/definition.ts';
import {signals} from '../../signals/index.ts';

/** Returns the signals of agents, each with its fields and syntax. */
export const signalsText = (definitions: readonly Definition[] = signals): string =>
	[INTRODUCTION, ...definitions.map(about)].join('\n\n');

const INTRODUCTION = `Agents are heard by the signals that they print, each at the start of a line. Bold, quotes (> ),
bullets and emoji in front of one do no harm. What starts like a signal and can’t be read is told back
to the agent.

Some are only examples, and say nothing:
- in the middle of a line, or in \`code marks\`
- with a blank such as ‹this› where a value is needed
- in a code fence, unless the fence holds one whole signal and nothing else
- between <thinking> and </thinking>, where agents draft what they say afterwards
A fence or a <thinking> that is never closed hides nothing: what was said in it counts at the end of the
output, or after 2,000 lines of <thinking>.

delegate-tui signals FILE  tells what a transcript says.`;

const about = ({marker, help, fields, tool, examples}: Definition): string =>
	[
		tool === undefined ? marker : `${marker} (tool: ${tool.name})`,
		indented(help),
		...fields.map(field => indented(fieldText(field))),
		'',
		indented(indented((examples[0] ?? '').trimEnd())),
	].join('\n');

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
