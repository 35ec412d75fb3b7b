import {argv} from 'node:process';
import {spawnAgent} from '../../src/agents/spawn-agent.ts';
import {groupsContainment} from '../../src/lib/process/containment.ts';
import {orphansParent} from '../../src/lib/process/kill-stragglers.ts';
import {openDescriptors, takeAllBut} from '../helpers/descriptors.ts';

/** The words are a folder and how many descriptors are left. */
const [, , directory = '', left = ''] = argv;

const start = async (): Promise<string> => {
	try {
		const agent = await spawnAgent({
			command: ['/bin/cat'],
			directory,
			environment: {},
			complaints: `${directory}/complaints`,
			mark: 'MARK=descriptors',
			containment: groupsContainment('for a test'),
		});
		agent.stdin.end();
		agent.stdout.resume();
		await agent.cleared(Promise.resolve());
		return 'started';
	} catch (error) {
		return String(error);
	}
};

const giveBack = takeAllBut(Number(left));
const before = openDescriptors();
const came = await start();
const adopter = await orphansParent();
const kept = openDescriptors() - before;
giveBack();
console.log(JSON.stringify({came, adopter, kept}));
