import {readFile} from 'node:fs/promises';
import {type Command, Option} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {printAside} from '../output.ts';
import {problemText} from '../plan/read-plan.ts';

/** Adds the command of an ACP agent that plays a scene, for the demo and for tests; a supervisor starts it, not people. */
export const addScriptedAgent = (program: Command): void => {
	program
		.command('scripted-agent <scene>', {hidden: true})
		.addOption(
			new Option('--pace <factor>', 'factor by which waits are stretched')
				.default(1)
				.argParser(Number),
		)
		.action(async (file: string, {pace}: {pace: number}) => {
			const {serveScene} = await import('../../agents/scripted/agent.ts');
			await serveScene({
				scene: await sceneOf(file),
				pace,
				input: process.stdin,
				output: process.stdout,
				crash: (code, complaint) => {
					printAside(complaint);
					process.exit(code);
				},
			});
		});
};

const sceneOf = async (file: string) => {
	const {readScene} = await import('../../agents/scripted/read-scene.ts');
	const text = await readFile(file, 'utf8').catch((error: unknown) => {
		throw new Failure('usage', `The scene ${file} can’t be read.`, {cause: error});
	});
	const read = readScene(text, file);
	if ('problems' in read) {
		throw new Failure(
			'usage',
			[`The scene ${file} can’t be played.`, ...read.problems.map(problemText)].join('\n'),
		);
	}

	return read.scene;
};
