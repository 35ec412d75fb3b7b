import {Command} from 'commander';
import {describe, expect, it} from 'vitest';
import {candidates, type Names} from '../../../src/cli/commands/completion.ts';
import {accepted, type Given, working} from '../../helpers/given.ts';
import {collide} from '../../helpers/merging.ts';

const program = new Command('delegate-tui').helpCommand(false);
program
	.command('answer [item] [choice...]')
	.description('decide')
	.option('--note <text>', 'a note');
program.command('agent <id> <verb>').description('steer');
program.command('help [name]').description('help');
program.command('run <plan>').description('start');
program.command('secret', {hidden: true});

const names: Names = {
	state: undefined,
	sessions: [],
	scenes: [],
	topics: [{value: 'keys', meaning: 'all keys'}],
	shells: [],
};

const offered = (words: readonly string[], session?: Given): readonly string[] =>
	candidates(program, words, {...names, state: session?.state()}).map(({value}) => value);

const colliding = (): Given => {
	const session = accepted(['AGT-001', 'AGT-002']);
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	return session;
};

describe('what may come next is', () => {
	it('a command, but none that people do not type', () => {
		expect(offered([''])).toEqual(['answer', 'agent', 'help', 'run']);
		expect(offered(['a'])).toEqual(['answer', 'agent']);
	});

	it('an option of the command', () => {
		expect(offered(['answer', '--n'])).toEqual(['--note']);
	});

	it('an item, and then what it can be answered with now', () => {
		const session = colliding();
		expect(offered(['answer', ''], session)).toEqual(['c-1']);
		expect(offered(['answer', 'c-1', 'choose'], session)).toEqual([
			'choose-one:AGT-001',
			'choose-one:AGT-002',
		]);
		expect(offered(['answer', '--note', 'why', 'c-1', 'man'], session)).toEqual(['manual']);
		expect(offered(['answer', 'c-1', '--note', 'man'], session)).toEqual([]);
		expect(offered(['answer', 'q-9', ''], session)).toEqual([]);
	});

	it('an agent, and then what it can do', () => {
		const session = working(['AGT-001', 'AGT-002']);
		expect(offered(['agent', 'AGT-00'], session)).toEqual(['AGT-001', 'AGT-002']);
		expect(offered(['agent', 'AGT-001', 'st'], session)).toContain('stop');
	});

	it('a topic', () => {
		expect(offered(['help', ''])).toEqual(['keys']);
	});

	it('left to the shell where it is a file, or no command of ours', () => {
		expect(offered(['run', ''])).toEqual([]);
		expect(offered(['walk', ''])).toEqual([]);
		expect(offered(['answer', ''])).toEqual([]);
	});
});
