import {existsSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {agentOf} from '../../src/state/select.ts';
import {agent} from '../helpers/plan-file.ts';
import {projectAt} from '../helpers/project.ts';
import {script, temporaryFolder} from '../helpers/repository.ts';
import {makeBusyProject, type Scene, shared} from './scenes.ts';
import {mountDisk} from './small-disk.ts';

/** An agent stops at a checkpoint, and the person sets its worktree back to what it was then. */
export const restored: Scene = {
	plan: () => ({agents: [agent('checks-in.sh', ['src/draft.txt'])]}),
	written: ['draft\n'],
	merged: {
		'src/draft.txt': 'CHECKPOINT REVIEWED Note: Your worktree was set back to snapshot 1.',
	},
	person: () => {
		let isBack = false;
		return ({kind, choices}) => {
			if (isBack || kind !== 'checkpoint') {
				return undefined;
			}

			// Until its snapshot is taken it is refused, and they are asked again.
			isBack = choices.some(({choice}) => choice === 'restore:1');
			return {choice: 'restore:1'};
		};
	},
};

/** A file of the person's stands where the merge brings one; they take it away once they are told. */
export const hindered: Scene = {
	plan: () => ({agents: [agent('edits.sh', ['src/mine.txt', 'theirs'])]}),
	written: ['theirs\n'],
	merged: {'src/mine.txt': 'theirs'},
	person:
		() =>
		(item, _, {root}) => {
			const mine = join(root, 'src/mine.txt');
			if (item.kind === 'approval' && item.refused === undefined) {
				writeFileSync(mine, 'mine\n');
			} else if (item.kind === 'approval') {
				rmSync(mine, {force: true});
			}

			return undefined;
		},
};

/** Two agents collide in two files; with one of them left out for the one, the other conflict is gone. */
export const leftOut: Scene = {
	plan: () => ({
		agents: [
			agent('edits.sh', [shared, 'left', 'src/two.txt', 'left']),
			agent('edits.sh', [shared, 'right', 'src/two.txt', 'right']),
		],
	}),
	written: ['left\n', 'right\n'],
	merged: {[shared]: 'left', 'src/two.txt': 'left'},
	person:
		() =>
		({kind}) =>
			kind === 'conflict' ? {choice: 'abort:AGT-002'} : undefined,
};

/** An agent hangs in its first turn, once it has written half of its work. */
export const hanging: Scene = {
	plan: () => ({agents: [agent('hangs-once.sh', ['src/work.txt'])]}),
	written: ['half\n', 'whole\n'],
	merged: {'src/work.txt': 'whole'},
};

/** An agent hangs once it has written what it was answered. */
export const hangingLater: Scene = {
	plan: () => ({agents: [agent('asks-then-hangs.sh', ['src/name.txt'])]}),
	written: ['8080\n'],
	merged: {'src/name.txt': '8080, again'},
};

/** An agent's program is gone when its answer is there, and the person brings it back. */
export const gone: Scene = {
	plan: () => ({agents: [vanishing()]}),
	written: ['8080\n'],
	merged: {'src/port.txt': '8080'},
	person:
		() =>
		({kind, agent: id = ''}, {waits}) => {
			const command = agentOf(waits.state(), id)?.subtask.agent.command[0] ?? '';
			if (kind === 'failure' && existsSync(`${command}.away`)) {
				renameSync(`${command}.away`, command);
			}

			return undefined;
		},
};

/** An agent stays after its last word, until its time to go is over. */
export const lingering: Scene = {
	plan: () => ({
		agents: [
			scripted(`mkdir -p src && echo stays > src/stays.txt
${success}
exec sleep 600`),
		],
	}),
	written: ['stays\n'],
	merged: {'src/stays.txt': 'stays'},
};

const vanishing = () =>
	scripted(`answer=$(sed -n 's/^ANSWER port: //p')
if [ -z "$answer" ]; then
	printf '[CLARIFICATION_NEEDED]\\nquestions:\\n  - id: port\\n    question: Which port?\\n[/CLARIFICATION_NEEDED]\\n'
	mv "$0" "$0.away"
	exit 0
fi
mkdir -p src && echo "$answer" > src/port.txt
${success}`);

const success = "printf '[COMPLETION_REPORT]\\nstatus: success\\n[/COMPLETION_REPORT]\\n'";

const scripted = (body: string) => {
	const path = join(temporaryFolder(), 'agent.sh');
	script(path, body);
	return {
		subtask: 'Run the script',
		scope: {allowed: ['src/**']},
		agent: {protocol: 'text', command: [path]},
	} as const;
};

/** The disk of the state fills up while an agent works, which is paused until there is room again. */
export const crowded: Scene = {
	plan: () => ({agents: [agent('waits-for.sh', ['src/done.txt', sign])]}),
	written: ['done\n'],
	merged: {'src/done.txt': 'done'},
	stage: async () => {
		const disk = await mountDisk();
		// Little enough to be worried from the beginning, and to be looked at often.
		await disk.leave(500 * pagesOfMebibyte);
		let step: 'worried' | 'full' | 'free' = 'worried';
		return {
			project: projectAt(makeBusyProject().root, {aside: disk.folder}),
			disturb: async ({waits, folder}) => {
				const isLookedAt = waits.events('machine.disk').length > 0;
				const isThere = waits.events('workspace.prepared').length > 0;
				const isFrozen = waits.events('turn.changed').length > 0;
				const isAgain = waits.events('supervisor.started').length > 1;
				if (step === 'worried' && isLookedAt && waits.events('signal.said').length > 0) {
					step = 'full';
					await disk.leave(100 * pagesOfMebibyte);
				} else if (step !== 'free' && isThere && (isFrozen || isAgain)) {
					step = 'free';
					await disk.free();
					writeFileSync(join(folder.agent('AGT-001').tree, sign), '');
				}
			},
		};
	},
};

/** What the agent waits for in its worktree; git ignores it there. */
const sign = '.env';

const pagesOfMebibyte = 256;
