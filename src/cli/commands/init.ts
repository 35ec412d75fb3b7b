import {join} from 'node:path';
import type {Command} from 'commander';
import {findHere} from '../here.ts';
import {print} from '../output.ts';
import {isWrittenNew, starterPlan} from '../plan/new-plan-file.ts';
import {guessCheck, withSchema} from '../plan/read-plan.ts';
import {configExample} from '../topics/config.ts';

/** `init`: a commented config and a plan to begin with, at the top of the checkout; what is there already is left as it is. */
export const addInit = (program: Command): void => {
	program
		.command('init')
		.description('write a commented config and a plan to begin with')
		.action(async () => {
			const {repository} = await findHere();
			const {root} = repository;
			const top = {root, folder: root};
			const config = await withSchema('config', top, commentedConfig);
			const plan = await withSchema('plan', top, starterPlan(await guessCheck(root)));
			print(await writeNew(root, '.delegate-tui.yaml', config));
			print(await writeNew(root, 'plan.yaml', plan));
			print('Next: say in plan.yaml what is to be done, then: delegate-tui run plan.yaml');
		});
};

const writeNew = async (root: string, name: string, text: string): Promise<string> =>
	(await isWrittenNew(join(root, name), text))
		? `Wrote ${name}.`
		: `${name} is there already, and was left as it is.`;

/** Every key as an example, and none in force. */
const commentedConfig = `# The config of delegate-tui for this repository. All of it may be left out: take the "# " away from what you want to change.
# A config for all of your repositories is read as well: delegate-tui help config

${configExample
	.split('\n')
	.map(line => `# ${line}`)
	.join('\n')}
`;
