import {readFile} from 'node:fs/promises';
import {Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/reading.ts';

/** A topic of `help` that is no command. */
export type Topic = {
	readonly name: string;
	/** Summary for the list of topics. */
	readonly help: string;
	/** Returns the text; its sources are loaded only then. */
	readonly text: () => Promise<string>;
	/** Returns the text for a named file; absent if the topic takes none. */
	readonly textFor?: (file: string) => Promise<string>;
};

export const topics: readonly Topic[] = [
	{
		name: 'signals',
		help: 'what agents can say, and in which form',
		text: async () => (await import('./signals.ts')).signalsText(),
	},
	{
		name: 'keys',
		help: 'the keys of the screen, and the names by which the config changes them',
		text: async () => (await import('./keys.ts')).keysText(),
	},
	{
		name: 'plan',
		help: 'a plan file with every key',
		text: async () => (await import('./plan.ts')).planText,
	},
	{
		name: 'prompt',
		help: 'what each agent is told at its start; with a file, for that plan',
		text: async () => (await import('./prompt.ts')).samplePrompt(),
		textFor: async file => (await import('./prompt.ts')).promptsFor(file),
	},
	{
		name: 'policy',
		help: 'when you are asked, what goes on by itself, and what is stopped',
		text: async () => (await import('./policy.ts')).policyText(),
	},
	{
		name: 'config',
		help: 'where the config is, and every key',
		text: async () => (await import('./config.ts')).configText,
	},
	{
		name: 'man',
		help: 'the manual page: delegate-tui help man | man -l -',
		// The build puts it beside the program.
		text: async () => {
			const page = await ifThere(readFile(new URL('delegate-tui.1', import.meta.url), 'utf8'));
			if (page === undefined) {
				throw new Failure('missing', 'The manual page is not here: the build makes it.', {
					hint: 'npm run build, then bin/delegate-tui.cjs help man',
				});
			}

			return page;
		},
	},
];
