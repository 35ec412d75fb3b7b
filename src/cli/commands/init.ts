import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Command} from 'commander';
import {findHere} from '../here.ts';
import {print} from '../output.ts';
import {isWrittenNew, starterPlan} from '../plan/new-plan-file.ts';
import {guessCheck, withSchema} from '../plan/read-plan.ts';
import {skillFiles} from '../plan/skill-files.ts';
import {configExample} from '../topics/config.ts';

type Options = {readonly skill?: true};

/** Adds the command `init`: writes a commented config and an initial plan at the root of the checkout, or with `--skill` the files with which a person's own agent starts sessions; existing files are left as they are. */
export const addInit = (program: Command): void => {
	program
		.command('init')
		.description('write a commented config and a plan to begin with')
		.option('--skill', 'write a skill and commands for your own coding agent instead')
		.action(async ({skill}: Options) => {
			const {repository} = await findHere();
			const {root} = repository;
			if (skill) {
				for (const {path, text} of skillFiles(process.env.PATH)) {
					await mkdir(dirname(join(root, path)), {recursive: true});
					print(await writeNew(root, path, text));
				}

				print('Next: say /delegate TASK to your agent. It plans and starts; you approve.');
				return;
			}

			const top = {root, folder: root};
			const config = await withSchema('config', top, commentedConfig);
			const plan = await withSchema('plan', top, starterPlan(await guessCheck(root)));
			print(await writeNew(root, '.delegate-tui.yaml', config));
			print(await writeNew(root, 'plan.yaml', plan));
			print('Next: fill in plan.yaml, then: delegate-tui run plan.yaml');
		});
};

const writeNew = async (root: string, name: string, text: string): Promise<string> =>
	(await isWrittenNew(join(root, name), text))
		? `Wrote ${name}.`
		: `${name} is there already, and was left as it is.`;

const commentedConfig = `# The config of delegate-tui for this repository. Every key is optional: remove the "# " in front of those that you want to change.
# A config for all of your repositories is read as well: delegate-tui help config

${configExample
	.split('\n')
	.map(line => `# ${line}`)
	.join('\n')}
`;
