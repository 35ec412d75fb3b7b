import {access, constants, readFile, stat} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {installCommand, printedBy} from '../../agents/profiles/profile.ts';
import {profileOf} from '../../agents/profiles/profiles.ts';
import type {Plan} from '../../events/plan.ts';
import {
	branchesOf,
	gitLocationOf,
	type Repository,
	refOf,
} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {packagesIn} from '../../git/tree/packages.ts';
import {Failure} from '../../lib/failure.ts';
import {ifThere, isThere} from '../../lib/files/reading.ts';
import {whyNoProgram} from '../../lib/process/find-program.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {sentenceCase} from '../../lib/text/words.ts';
import type {Problem} from '../../lib/text/yaml-document.ts';
import {packagePrefix, type WorkspacePackage} from '../../lib/workspace.ts';
import {type CheckOptions, checkPlan, copiesKept, filesNamedIn} from '../../rules/plan/check.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {joinedByAgent, toProblem} from '../../rules/plan/finding.ts';
import {type MissingProgram, missingAmong} from '../../rules/plan/missing-among.ts';
import {parsePlan} from '../../rules/plan/parse.ts';
import type {Config} from '../config/config.ts';
import {withMissing} from './ask-for-missing.ts';
import {lackOf} from './lack-of.ts';
import {sharedHint, sharedNames} from './shared-names.ts';

/** A plan that can be started. */
export type ReadPlan = {
	readonly plan: Plan;
	/** Values of agents' environments, which are not in the plan. */
	readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
	readonly warnings: readonly string[];
};

/**
Reads a plan file and checks it against the repository.

@throws `Failure` of kind `usage` that lists every error with its line and column.
*/
export const readPlan = async (
	file: string,
	{repository, config}: {repository: Repository; config: Config},
): Promise<ReadPlan> => {
	const text = await readText(file);
	return readPlanText(text, {
		file: relative(process.cwd(), file) || file,
		repository,
		config,
	});
};

/** Does the same, and asks the person at the terminal for missing parts. */
export const readAskedPlan = async (
	file: string,
	parts: {repository: Repository; config: Config},
): Promise<ReadPlan> => {
	const {repository, config} = parts;
	const {plan, environments} = await readPlan(file, parts);
	const absent = missingAmong(plan, environments, agent => missingProgram(agent, repository.root));
	const text = await withMissing(await readText(file), plan, {
		profiles: config.agents,
		isAbsent: id => absent.has(id),
	});
	return readPlanText(text, {file: relative(process.cwd(), file) || file, ...parts});
};

/** Does the same for a plan that is not in a file. */
export const readPlanText = async (
	text: string,
	{file, repository, config}: {file: string; repository: Repository; config: Config},
): Promise<ReadPlan> => {
	const parsed = parsePlan(text, {
		file,
		profiles: config.agents,
		unreadRegistry: config.unreadRegistry,
		timeoutMs: config.limits.timeout,
		packages: await packagesNamedIn(repository, text),
		check: config.check,
		allow: config.allow,
		supervision: config.supervision,
		...(config.merge === 'squash' ? {} : {merge: config.merge}),
	});
	if (parsed.plan === undefined) {
		throw unusable(file, parsed.problems);
	}

	const {plan, environments, positionOf} = parsed;
	const branches = await branchesOf(repository);
	const {target} = plan;
	const start = target !== undefined && branches.includes(target) ? refOf(target) : 'HEAD';
	const files = [...(await entriesOf(gitLocationOf(repository), start)).keys()];
	const found = await lookUpPaths(repository, filesNamedIn(plan));
	const warnings = [...(await surroundings(repository, plan))].map(({message, hint}) =>
		toProblem({level: 'warning', path: [], message, hint}, positionOf),
	);
	const checked = checkPlan(plan, {
		positionOf,
		files,
		branches,
		...found,
		absent: missingAmong(plan, environments, agent => missingProgram(agent, repository.root)),
		filesLimit: config.limits.files,
	});
	const problems = joinedByAgent(
		[...parsed.problems, ...warnings, ...checked],
		plan.agents.map(({id}) => id),
	);
	if (problems.some(({level}) => level === 'error')) {
		throw unusable(file, problems);
	}

	const agents = plan.agents.map(agent => copiesKept(agent, files, found.existing));
	return {plan: {...plan, agents}, environments, warnings: problems.map(problemText)};
};

/** Returns the workspace packages of the repository, if a text names any. */
export const packagesNamedIn = async (
	repository: Repository,
	text: string,
): Promise<readonly WorkspacePackage[]> =>
	text.includes(packagePrefix) ? packagesIn(gitLocationOf(repository), 'HEAD') : [];

/** Warns of parts of the checkout that agents will lack or share with any plan. */
const surroundings = async (
	repository: Repository,
	{copy}: Plan,
): Promise<readonly {readonly message: string; readonly hint: string}[]> => {
	const shared = await sharedNames(repository.root, copy);
	return [
		...(shared === undefined ? [] : [{message: `${sentenceCase(shared)}.`, hint: sharedHint}]),
		...(await lackOf(repository)).map(({text, hint}) => ({message: `${text}.`, hint})),
	];
};

/** Returns a problem as one line that begins with its place, like compilers do. */
export const problemText = ({file, line, column, level, message, hint}: Problem): string =>
	`${file}:${line}:${column}: ${level}: ${message}${hint === undefined ? '' : ` (${hint})`}`;

const unusable = (file: string, problems: readonly Problem[]): Failure =>
	new Failure(
		'usage',
		[`The plan ${file} can’t be used.`, ...problems.map(problemText)].join('\n'),
		{hint: 'the format of a plan file: delegate-tui help plan'},
	);

export const readText = async (file: string): Promise<string> => {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw new Failure('usage', `The plan file ${file} can’t be read.`, {
			hint: 'give the path of a YAML file',
			cause: error,
		});
	}
};

/** Looks paths up in the checkout: returns those that exist, and the reasons why some can't be copied. */
export const lookUpPaths = async (
	{root}: Repository,
	paths: readonly string[],
): Promise<Required<Pick<CheckOptions, 'existing' | 'unreadable'>>> => {
	const found = await Promise.all(
		paths.map(async path => [path, await whyUnreadable(join(root, path))] as const),
	);
	return {
		existing: new Set(found.flatMap(([path, why]) => (why === 'missing' ? [] : [path]))),
		unreadable: new Map(
			found.flatMap(([path, why]) =>
				why === undefined || why === 'missing' ? [] : [[path, why] as const],
			),
		),
	};
};

const whyUnreadable = async (path: string): Promise<string | undefined> => {
	const entry = await ifThere(stat(path)).catch(() => undefined);
	if (entry === undefined) {
		return 'missing';
	}

	if (!entry.isFile() && !entry.isDirectory()) {
		return 'is neither a file nor a folder';
	}

	return access(path, constants.R_OK).then(
		() => undefined,
		() => 'can’t be read by you',
	);
};

/**
Returns a file's text with the comment by which editors find its schema.

Its schemas have a stable path only if the program is a dependency of the project; otherwise nothing is added.
*/
export const withSchema = async (
	kind: 'plan' | 'config',
	{root, folder}: {readonly root: string; readonly folder: string},
	text: string,
): Promise<string> => {
	const schema = join(root, 'node_modules/delegate-tui/schemas', `${kind}.schema.json`);
	return (await isThere(schema))
		? `# yaml-language-server: $schema=${relative(folder, schema)}\n${text}`
		: text;
};

/** Check commands by the file at the root that reveals the kind of project. */
const checks = [
	['Cargo.toml', 'cargo test'],
	['go.mod', 'go test ./...'],
	['pyproject.toml', 'pytest'],
	['pytest.ini', 'pytest'],
	['pom.xml', 'mvn -q test'],
	['build.gradle', './gradlew test'],
	['Makefile', 'make test'],
] as const;

/** Returns the most likely check command of the project in this folder, or nothing. */
export const guessCheck = async (root: string): Promise<string | undefined> => {
	if (await hasTestScript(join(root, 'package.json'))) {
		return 'npm test';
	}

	for (const [file, command] of checks) {
		if (await isThere(join(root, file))) {
			return command;
		}
	}

	return undefined;
};

const hasTestScript = async (manifest: string): Promise<boolean> => {
	const read = readJsonObject(await readFile(manifest, 'utf8').catch(() => ''));
	return typeof Object(read?.scripts).test === 'string';
};

/** Returns the reason why an agent can't be started here, with advice; nothing if its program exists. */
export const missingProgram = (
	agent: AgentProfile,
	directory: string,
): MissingProgram | undefined => {
	const [program = ''] = agent.command;
	const absence = whyNoProgram(program, {directory, environment: {...process.env, ...agent.env}});
	if (absence === undefined) {
		return undefined;
	}

	if (absence === 'not allowed') {
		return {why: `you may not run \`${program}\``, hint: 'chmod +x makes it a program'};
	}

	const profile = profileOf(agent);
	const known = agent.protocol === 'acp' ? profile?.acp : profile && printedBy(profile);
	return {
		why: `\`${program}\` is not installed`,
		hint:
			known === undefined
				? 'install it, or name another agent'
				: `install it: ${installCommand(known)}`,
	};
};
