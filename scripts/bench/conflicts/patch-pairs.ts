import {readdir, readFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';

/** Two patches on one commit of a public repository, and the publishers' verdict on both together. */
export type PatchPair = {
	readonly name: string;
	/** Last part of the repository's URL. */
	readonly repository: string;
	readonly base: string;
	readonly a: string;
	readonly b: string;
	readonly verdict: string;
};

/**
Returns the pairs in a checkout of CooperBench or AgentConflictBench; none for any other folder.

CooperBench says whether git merges the two; AgentConflictBench, where git always does, whether a test of both together fails.
*/
export const readPatchPairs = async (folder: string): Promise<readonly PatchPair[]> => [
	...(await cooperBench(join(folder, 'dataset'))),
	...(await agentConflictBench(join(folder, 'instances'))),
];

type GoldPair = {
	readonly repo: string;
	readonly task_id: number;
	readonly f1: number;
	readonly f2: number;
	readonly has_conflict: boolean;
};

const cooperBench = async (folder: string): Promise<readonly PatchPair[]> => {
	const report = await readFile(join(folder, 'gold_conflict_report.json'), 'utf8').catch(() => '');
	const {all_results: all} = report === '' ? {all_results: []} : JSON.parse(report);
	const pairs = all.map(async ({repo, task_id, f1, f2, has_conflict}: GoldPair) => {
		const task = join(folder, repo, `task${task_id}`);
		const [dockerfile, a, b] = await Promise.all([
			readFile(join(task, 'Dockerfile'), 'utf8'),
			readFile(join(task, `feature${f1}`, 'feature.patch'), 'utf8'),
			readFile(join(task, `feature${f2}`, 'feature.patch'), 'utf8'),
		]);
		const address = /github\.com\/([\w.-]+\/[\w.-]+)/.exec(dockerfile)?.[1] ?? '';
		return {
			name: `${repo} ${task_id} ${f1}+${f2}`,
			repository: basename(address, '.git'),
			base: /checkout ([\da-f]{40})/.exec(dockerfile)?.[1] ?? '',
			a: withoutTests(a),
			b: withoutTests(b),
			verdict: has_conflict ? 'git conflict' : 'git merges it',
		};
	});
	return Promise.all(pairs);
};

/** Removes tests from a patch, by CooperBench's own names for them: it merges features without their tests. */
const withoutTests = (patch: string): string =>
	patch
		.split(/^(?=diff --git )/m)
		.filter(file => !/^diff --git .*(?:\/test_|\/tests?\/|_test\.py|tests\.py)/.test(file))
		.join('');

const agentConflictBench = async (folder: string): Promise<readonly PatchPair[]> => {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const metadata = entries
		.filter(entry => entry.isDirectory())
		.map(({name}) => join(folder, name, 'metadata.json'));
	return Promise.all(
		metadata.map(async path => {
			const one = JSON.parse(await readFile(path, 'utf8'));
			const read = (patch: string) => readFile(join(dirname(path), patch), 'utf8');
			return {
				name: one.id,
				repository: basename(one.repo, '.git'),
				base: one.base_commit,
				a: await read(one.patch_a),
				b: await read(one.patch_b),
				verdict:
					one.composition_expected === 'fail' ? 'tests break together' : 'control, nothing breaks',
			};
		}),
	);
};
