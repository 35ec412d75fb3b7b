import {platform} from 'node:os';
import {dirname} from 'node:path';
import {makeStateFolder} from '../../client/supervisor/start-supervisor.ts';
import {examineHome, type HomeTrouble} from '../../control/questions/examine-home.ts';
import {questionHome} from '../../control/questions/home.ts';
import {filesText} from '../../events/kinds/machine-event.ts';
import {user} from '../../git/process/user.ts';
import {gitVersion, isNewEnough} from '../../git/process/version.ts';
import {ignoredAmong} from '../../git/repository/checkouts.ts';
import {givingUp, isBegun} from '../../git/target/begun-move.ts';
import {asFailure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/reading.ts';
import {watchTree} from '../../lib/files/watch-tree.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {defined} from '../../lib/values.ts';
import {diskLevel} from '../../rules/disk.ts';
import {stateFolder} from '../../supervisor/folder.ts';
import {freeSpace} from '../../supervisor/machine/health.ts';
import {sandboxOf} from '../../supervisor/machine/sandbox.ts';
import {sandboxSettings} from '../config/config.ts';
import {lackOf} from '../plan/lack-of.ts';
import {sharedHint, sharedNames} from '../plan/shared-names.ts';
import {checkAgents} from './agents.ts';
import {
	type Check,
	type CheckContext,
	type CheckFinding,
	checkConfig,
	configFor,
	type DoctorFinding,
} from './config.ts';
import {checkEditor, checkNotifier} from './editor.ts';
import {checkSessions} from './sessions.ts';

/** Checks for an unfinished move of the person's branch. */
export const checkBegunMove: Check = async ({here}) => {
	if (here === undefined || !(await isBegun(here.repository))) {
		return [];
	}

	return [
		{
			level: 'warn',
			text: 'a merge or an undo was begun here and is not over yet',
			hint: `if none is under way, the next one cleans it up; to give it up, see git status, and once your files are as you want them: ${await givingUp(here.repository)}`,
		},
	];
};

/** Checks whether questions and answers can be kept as files, and who can read them. */
export const checkQuestions: Check = async context => {
	const config = await configFor(context);
	if (config.kind === 'unusable') {
		return [];
	}

	const {home} = config.config.questions;
	const troubles = await examineHome(questionHome(home));
	const seen = context.containment.binds
		? 'each agent sees only its own'
		: 'each agent sees those of the others, too';
	return troubles.length > 0
		? troubles.map(findingOf)
		: [{level: 'good', text: `question files are in ${home}; ${seen}`}];
};

const findingOf = ({kind, path, why}: HomeTrouble): CheckFinding => ({
	level: 'warn',
	text: `${path} ${why}`,
	hint:
		kind === 'open'
			? `chmod go-w ${inShell(path)} keeps other users from answering for you`
			: 'correct that, or name another folder as questions.home in the config; questions can be answered without files, too',
});

/** Checks what protects files from agents, besides their own questions. */
export const checkSandbox: Check = async context => {
	const config = await configFor(context);
	const wanted = config.kind === 'read' ? sandboxSettings(config.config.sandbox) : {};
	const {containment} = context;
	const {fileSandbox} = containment;
	const sandbox = sandboxOf(containment, wanted);
	if (sandbox.level === 'files' || 'program' in fileSandbox) {
		const level = sandbox.level === 'files' ? 'good' : 'warn';
		return [{level, text: filesText(sandbox)}];
	}

	const isRequired = wanted.mode === 'required';
	const text = `${isRequired ? 'the config requires that files are protected; ' : ''}files are not protected from agents: ${fileSandbox.missing}`;
	const hint =
		fileSandbox.hint ??
		(isRequired ? 'set "sandbox: auto" to let agents run with your own rights' : undefined);
	return [{level: isRequired ? 'bad' : 'warn', text, ...defined({hint})}];
};

/** Checks whether all processes of an agent can be ended with it. */
const checkProcesses: Check = async ({containment: {level, why}}) => [
	level !== 'groups'
		? {
				level: 'good',
				text: `every process that an agent starts ends with it (${why})`,
			}
		: {
				level: 'warn',
				text: `processes that an agent starts may escape when it is ended: ${why}`,
				hint: 'on Linux allow user namespaces, or install bubblewrap',
			},
];

/** Checks whether limits of resources are enforced between two looks at an agent. */
export const checkLimits: Check = async ({containment: {controlGroups}}) => [
	{
		level: 'good',
		text:
			controlGroups === undefined
				? `agents’ usage is checked every ten seconds; in between only ${platform() === 'darwin' ? 'the size of each file' : 'each single process'} is limited (ulimit), since no control group can be created here`
				: 'control groups limit the memory and the number of an agent’s processes; its other usage is checked every ten seconds',
	},
];

/** Checks whether the disk has enough room, by the same limits as for pausing a session’s programs. */
const checkDisk: Check = async ({environment, here}) => {
	const folders =
		here === undefined ? [stateFolder(environment)] : [here.folder.path, here.repository.root];
	return Promise.all(folders.map(findingFor));
};

/** Returns the nearest existing folder: a new folder will be on its disk. */
const standing = async (folder: string): Promise<string> =>
	(await isThere(folder)) || dirname(folder) === folder ? folder : standing(dirname(folder));

const findingFor = async (folder: string): Promise<CheckFinding> => {
	const space = await freeSpace(await standing(folder)).catch(() => undefined);
	if (space === undefined) {
		return {level: 'warn', text: `the disk of ${folder} can’t be examined`};
	}

	const text = `${bytesText(space.free)} of ${bytesText(space.total)} free on the disk of ${folder}`;
	const hint = 'make room; "delegate-tui doctor --clean" lists what is safe to remove';
	switch (diskLevel(space, 'enough')) {
		case 'enough':
			return {level: 'good', text};
		case 'low':
			return {level: 'warn', text, hint};
		case 'full':
			return {level: 'bad', text: `${text}: agents and commands are paused`, hint};
	}
};

/** Checks whether the state can be written to its folder. */
const checkStateFolder: Check = async ({environment, here}) => {
	const path = here?.folder.path ?? stateFolder(environment);
	try {
		await makeStateFolder(path);
		return [{level: 'good', text: `state is kept in ${path}`}];
	} catch (error) {
		const {message, hint} = asFailure(error);
		return [{level: 'bad', text: message, ...defined({hint})}];
	}
};

/** Reports the version of Node.js; the launcher has already refused an old one. */
const checkNode: Check = async () => [
	{level: 'good', text: `Node.js ${process.versions.node} (${process.execPath})`},
];

/** Checks for a git that can merge without a checkout. */
const checkGit: Check = async () => {
	try {
		const version = await gitVersion();
		return [
			isNewEnough(version)
				? {level: 'good', text: `git ${version}`}
				: {
						level: 'bad',
						text: `git ${version} is too old: 2.38 or newer is needed`,
						hint: 'install a newer git',
					},
		];
	} catch (error) {
		const {message, hint = 'install git 2.38 or newer'} = asFailure(error);
		return [{level: 'bad', text: message, hint}];
	}
};

/** Checks whether the system can watch a folder as large as the checkout. */
const checkWatching: Check = async ({here}) => {
	if (here === undefined) {
		return [];
	}

	const {root} = here.repository;
	const tree = watchTree(root, {
		ignored: async folders =>
			ignoredAmong((args, input) => user(root, args, {input, expect: 'any'}), folders, 'index'),
	});
	await tree.takeHint();
	const trouble = tree.trouble();
	tree.close();
	return [
		trouble === undefined
			? {level: 'good', text: 'the system reports changes in worktrees'}
			: {
					level: 'warn',
					text: `worktrees are polled every second, because this checkout can’t be watched: ${asFailure(trouble).message}`,
					hint: 'this works, but uses more CPU; on Linux see fs.inotify.max_user_watches',
				},
	];
};

/** Checks whether the project names ports and containers that worktrees have to share. */
export const checkSharedNames: Check = async ({here}) => {
	const text = here === undefined ? undefined : await sharedNames(here.repository.root);
	return text === undefined ? [] : [{level: 'warn', text, hint: sharedHint}];
};

/** Checks whether agents can have all contents of the checked out commit. */
const checkContents: Check = async ({here}) =>
	(here === undefined ? [] : await lackOf(here.repository)).map(lack => ({
		level: 'warn',
		...lack,
	}));

/** All checks by name, in the order of the output. */
const checks: Readonly<Record<string, Check>> = {
	git: checkGit,
	watching: checkWatching,
	worktrees: checkSharedNames,
	contents: checkContents,
	node: checkNode,
	state: checkStateFolder,
	disk: checkDisk,
	processes: checkProcesses,
	sandbox: checkSandbox,
	limits: checkLimits,
	config: checkConfig,
	editor: checkEditor,
	notifier: checkNotifier,
	questions: checkQuestions,
	agents: checkAgents,
	sessions: checkSessions,
	repository: checkBegunMove,
};

/** Runs all checks and returns their findings. */
export const examine = async (context: CheckContext): Promise<readonly DoctorFinding[]> => {
	const found = Object.entries(checks).map(async ([check, run]) =>
		(await run(context)).map(finding => ({check, ...finding})),
	);
	return (await Promise.all(found)).flat();
};
