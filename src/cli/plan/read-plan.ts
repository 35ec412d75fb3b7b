import {readFile, stat} from 'node:fs/promises';
import {join, relative} from 'node:path';
import type {Plan} from '../../events/plan.ts';
import {gitLocationOf, type Repository} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import type {Problem} from '../../lib/text/yaml-document.ts';
import {checkPlan, filesNamedIn} from '../../rules/plan/check.ts';
import {missingAmong} from '../../rules/plan/missing-among.ts';
import {parsePlan} from '../../rules/plan/parse.ts';
import type {Config} from '../config/config.ts';
import {missingProgram} from './missing-program.ts';

/** A plan that can be started. */
export type ReadPlan = {
	readonly plan: Plan;
	/** Values of agents' environments, which stay out of the plan. */
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

/** Does the same for a plan that is not in a file. */
export const readPlanText = async (
	text: string,
	{file, repository, config}: {file: string; repository: Repository; config: Config},
): Promise<ReadPlan> => {
	const parsed = parsePlan(text, {
		file,
		profiles: config.agents,
		timeoutMs: config.limits.timeoutMs,
		check: config.check,
	});
	if (parsed.plan === undefined) {
		throw unusable(file, parsed.problems);
	}

	const {plan, environments, positionOf} = parsed;
	const files = [...(await entriesOf(gitLocationOf(repository), 'HEAD')).keys()];
	const problems = [
		...parsed.problems,
		...checkPlan(plan, {
			positionOf,
			files,
			existing: await existing(repository, filesNamedIn(plan)),
			absent: missingAmong(plan, environments, agent => missingProgram(agent, repository.root)),
			filesLimit: config.limits.files,
		}),
	];
	if (problems.some(({level}) => level === 'error')) {
		throw unusable(file, problems);
	}

	return {plan, environments, warnings: problems.map(problemText)};
};

/** Returns a problem as one line, with its place first, as compilers do. */
export const problemText = ({file, line, column, level, message, hint}: Problem): string =>
	`${file}:${line}:${column}: ${level}: ${message}${hint === undefined ? '' : ` (${hint})`}`;

const unusable = (file: string, problems: readonly Problem[]): Failure =>
	new Failure(
		'usage',
		[`The plan ${file} can’t be used.`, ...problems.map(problemText)].join('\n'),
		{hint: 'the format of a plan file: delegate-tui help plan'},
	);

/** Reads a file that should be a plan. */
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

/** Returns those of the paths that lead to something in the checkout. */
export const existing = async (
	{root}: Repository,
	paths: readonly string[],
): Promise<ReadonlySet<string>> => {
	const found = await Promise.all(
		paths.map(path =>
			stat(join(root, path)).then(
				() => [path],
				() => [],
			),
		),
	);
	return new Set(found.flat());
};
