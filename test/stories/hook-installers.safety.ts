import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {git, script} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

/** What installers of git hooks do to the repository that they run in, as their code says; the packages themselves were tried by hand. */
const installers = [
	{
		name: 'husky 9.1.7',
		does: (hook: string) =>
			`test -e .git && git config core.hooksPath .husky/_ && mkdir -p .husky/_ && cp ${hook} .husky/_/pre-commit`,
	},
	{
		name: 'lefthook 2.2.1',
		does: (hook: string) =>
			'hooks=$(git rev-parse --path-format=absolute --git-path hooks) && info=$(git rev-parse --path-format=absolute --git-common-dir)/info && ' +
			`mkdir -p "$hooks" "$info" && cp ${hook} "$hooks/pre-commit" && date > "$info/lefthook.checksum"`,
	},
	{
		name: 'simple-git-hooks 2.14.0',
		// It reads `.git` and `commondir` itself, and asks git for a folder of hooks that was set.
		does: (hook: string) =>
			'dir=$(sed "s/^gitdir: //" .git) && common=$(cd "$dir" && cd "$(cat commondir)" && pwd) && ' +
			`hooks=$(git config --local core.hooksPath || echo "$common/hooks") && mkdir -p "$hooks" && cp ${hook} "$hooks/pre-commit"`,
	},
];

test.each(installers)(
	'what $name installs from setup stays in the agent’s own repository, and no commit of ours runs it',
	async ({does}) => {
		const project = makeProject();
		const {root, aside} = project;
		const [hook, sung] = [join(aside, 'hook'), join(aside, 'sung')];
		script(hook, `: > ${sung}`);
		const belongs = () => [
			readFileSync(join(root, '.git/config'), 'utf8'),
			readdirSync(join(root, '.git/hooks')).toSorted(),
			existsSync(join(root, '.git/info/lefthook.checksum')),
		];
		const before = belongs();
		await using session = await startSession(
			{
				setup: [does(hook)],
				verify: ['true'],
				agents: [agent('edits.sh', ['src/one.txt', 'merged'])],
			},
			project,
		);
		await session.accept('AGT-001');
		const {tree} = session.folder.agent('AGT-001');
		const hooks = git(
			tree,
			'rev-parse',
			'--path-format=absolute',
			'--git-path',
			'hooks/pre-commit',
		);
		expect(existsSync(hooks)).toBe(true);
		await session.approve();
		expect(git(root, 'show', 'main:src/one.txt')).toBe('merged');
		expect(existsSync(sung)).toBe(false);
		expect(belongs()).toEqual(before);
	},
);
