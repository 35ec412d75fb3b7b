import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {agentVendors} from '../../events/vendors.ts';
import {Failure} from '../../lib/failure.ts';
import {diskFailure, errorCode, isThere} from '../../lib/files/reading.ts';

/**
Refuses a path that exists.

@throws `Failure` of kind `refused`.
*/
export const requireNew = async (path: string | undefined): Promise<void> => {
	if (path !== undefined && (await isThere(path))) {
		throw taken(path);
	}
};

/** Writes a plan to a free path, and returns it: the given one, or otherwise the first free of `plan.yaml`, `plan-2.yaml` and so on. */
export const writeNewPlan = async (text: string, path: string | undefined): Promise<string> => {
	if (path !== undefined) {
		if (!(await isWrittenNew(path, text))) {
			throw taken(path);
		}

		return path;
	}

	for (let number = 1; ; number++) {
		const free = resolve(number === 1 ? 'plan.yaml' : `plan-${number}.yaml`);
		if (await isWrittenNew(free, text)) {
			return free;
		}
	}
};

/** Writes a new file; returns false if one exists. */
export const isWrittenNew = async (path: string, text: string): Promise<boolean> => {
	try {
		await writeFile(path, text, {flag: 'wx'});
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') {
			return false;
		}

		throw diskFailure(`${path} could not be written`, error);
	}
};

const taken = (path: string): Failure =>
	new Failure('refused', `${path} is there already, and is not overwritten.`, {
		hint: 'name another one with --out, or move it away',
	});

/** Returns an initial plan that is valid as it is; comments mark the parts left to the person. */
export const starterPlan = (
	verify: string | undefined,
): string => `# A plan for delegate-tui. Every key is explained by: delegate-tui help plan
# Try it: delegate-tui run plan.yaml
version: 1
task: Say here what the whole session is for
# context: What every agent should know of this repository.
# success: [npm test passes]          # what holds when the task is done
# setup: [npm ci]                     # run in each worktree before its agent starts
${verify === undefined ? '# verify: [npm test]                  # checks the merged result before you approve it' : `verify: [${verify}]  # checks the merged result before you approve it`}
# check: [npx tsc --noEmit]           # tells what breaks together, while agents work
agents:
  - subtask: Say here what the first agent is to do
    goal: Say here what done means for it
    scope: {allowed: ["src/**", "test/**"]}   # where it may write; without it nowhere
    agent: claude                             # or ${agentVendors.slice(1).join(', ')}, or one of your config
  - subtask: Say here what the second agent is to do
    goal: Say here what done means for it
    scope: {allowed: ["docs/**"]}
    agent: claude
    # after: [AGT-001]                        # it waits for the first one’s result
`;
