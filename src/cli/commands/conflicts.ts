import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Command} from 'commander';
import {openOracles} from '../../conflicts/oracle/open-oracles.ts';
import {oraclePlugins} from '../../conflicts/oracle/plugins.ts';
import {blocks, type NamedCommit, type Report, report} from '../../conflicts/report.ts';
import {
	openForReading,
	type ReadableRepository,
	withStoreOf,
} from '../../git/repository/readable-repository.ts';
import {resolveCommit} from '../../git/repository/repository.ts';
import {defined} from '../../lib/defined.ts';
import {exitCodes} from '../../lib/exit-codes.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {temporaryFolder} from '../../lib/files/temporary-folder.ts';
import {openRunner} from '../conflicts/open-runner.ts';
import {projectCheck} from '../conflicts/project-check.ts';
import {reportText} from '../conflicts/report-text.ts';
import {verifyPairs} from '../conflicts/verify-pairs.ts';
import {printAs} from '../output.ts';
import {readConfig} from '../require-config.ts';
import {untilInterrupted} from '../until-interrupted.ts';

type Options = {
	readonly verify?: string;
	readonly check?: string;
	readonly runCode?: boolean;
	readonly json?: true;
};

/** `conflicts`: whether several commits can be merged with each other, and what speaks against it. */
export const addConflicts = (program: Command): void => {
	program
		.command('conflicts [refs...]')
		.description('what collides when two to eight commits are merged; nothing is changed')
		.option('--verify <command>', 'run it on each merge that git can make')
		.option(
			'--check <command>',
			'a type check or build that prints path:line: message; what only a merge gets wrong is reported',
		)
		.option(
			'--run-code',
			'let the config’s check and type checkers as cargo run code of the commits',
		)
		.option('--json', 'as JSON')
		.action(async (refs: readonly string[], {json, ...options}: Options) => {
			requireSeveral(refs);
			requireWords(options);
			const repository = await openForReading(process.cwd());
			const inputs = await Promise.all(refs.map(name => resolve(repository, name)));
			using interrupted = untilInterrupted('The comparison was interrupted.');
			const {signal} = interrupted;
			const found = await readable(() => compareAll(repository, inputs, {...options, signal}));
			printAs({json}, found, reportText(found));
			process.exitCode = blocks(found) ? exitCodes.refused : 0;
		});
};

const compareAll = (
	repository: ReadableRepository,
	inputs: readonly NamedCommit[],
	{verify, check, runCode = false, signal}: Options & {readonly signal: AbortSignal},
): Promise<Report> =>
	withStoreOf(repository, async store => {
		const {checkout, settings} = repository;
		const comparison = {store, runsCode: runCode, ...defined({checkout})};
		await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-check-'));
		const own = projectCheck({
			...defined({typed: check}),
			configured: (await readConfig(checkout ?? repository.commonDir)).config.check,
			runsCode: runCode,
			openRunner: () => openRunner({repository, store}, folder.path),
		});
		await using oracles = openOracles(comparison, {
			plugins: [...oraclePlugins, own],
			now: () => performance.now(),
			patienceMs,
		});
		const found = await report(store, inputs, {settings, signal, oracles});
		return verify === undefined
			? found
			: verifyPairs({repository, store, report: found, verify, signal});
	});

/** A large project takes half a minute at first; nobody waits for a checker much longer. */
const patienceMs = 120_000;

const requireSeveral = ({length}: readonly string[]): void => {
	if (length < 2 || length > 8) {
		throw new Failure('usage', `Two to eight commits can be compared, not ${length}.`, {
			hint: 'delegate-tui conflicts main feature',
		});
	}
};

const requireWords = ({verify, check}: Options): void => {
	if (verify?.trim() === '' || check?.trim() === '') {
		throw new Failure('usage', 'An empty command checks nothing.', {
			hint: 'delegate-tui conflicts main feature --verify "npm test"',
		});
	}
};

const resolve = async (repository: ReadableRepository, name: string): Promise<NamedCommit> => {
	const commit = await readable(() => resolveCommit(repository, name));
	if (commit === undefined) {
		throw new Failure('missing', `There is no commit ${name} in this repository.`, {
			hint: 'Name a branch, a tag or the id of a commit: git branch --all',
		});
	}

	return {name, commit};
};

/** What git can't do here is no fault of ours: an object is missing, or may not be read. */
const readable = async <Result>(read: () => Promise<Result>): Promise<Result> => {
	try {
		return await read();
	} catch (error) {
		const {kind, message, hint = 'git fsck shows what else is wrong.'} = asFailure(error);
		throw kind === 'internal'
			? new Failure('missing', `This repository can’t be read whole: ${message}`, {
					hint,
					cause: error,
				})
			: error;
	}
};
