import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import type {Event} from '../../../src/events/event.ts';
import {expectNobodyLeft} from '../../helpers/nobody-left.ts';
import {type PlanParts, writePlan} from '../../helpers/plan-file.ts';
import {type Project, projectAt} from '../../helpers/project.ts';
import {git, hermeticHome} from '../../helpers/repository.ts';
import type {Waits} from '../../helpers/waits.ts';
import {expectEventsKept} from '../promises.ts';
import {type Choice, usualChoice} from '../usual-choice.ts';
import {runWhole} from '../whole-session.ts';
import {type Look, lookAt} from './look.ts';
import {type Recipe, usualAgent} from './recipe.ts';

/** Runs a session in a repository of the zoo: it is refused with the reason, or comes to its merge and leaves all else as it was. */
export const visit = async (recipe: Recipe): Promise<void> => {
	hermeticHome();
	const root = recipe.make();
	const target = recipe.target === undefined ? {} : {target: recipe.target};
	const plan: PlanParts = {agents: [(recipe.agent ?? usualAgent)()], ...target};
	if (recipe.refused === undefined) {
		await merges(recipe, root, plan);
	} else {
		await refuses(recipe.refused, personIn(recipe, root), plan);
	}

	if (recipe.canary !== undefined) {
		expect(existsSync(join(root, recipe.canary))).toBe(false);
	}
};

const personIn = ({env}: Recipe, root: string): Project => projectAt(root, {env: env?.() ?? {}});

const refuses = async (
	{code, says}: NonNullable<Recipe['refused']>,
	project: Project,
	plan: PlanParts,
): Promise<void> => {
	const words = ['run', writePlan(project, plan), '--headless', '--yes'];
	const outcome = await project.run(...words);
	expect(outcome.stderr).toMatch(says);
	expect(outcome.code).toBe(code);
	await expectNobodyLeft(project);
};

const merges = async (recipe: Recipe, root: string, plan: PlanParts): Promise<void> => {
	const {merged = ['src/work.txt'], target = 'main', hindered} = recipe;
	const project = personIn(recipe, root);
	const branch = `refs/heads/${target}`;
	let before = lookAt(root);
	let isInTheWay = hindered !== undefined;
	const end = await runWhole({
		project,
		plan,
		choose: (item, {waits}): Choice => {
			const trouble = troubleIn(waits, hindered?.cause);
			if (item.kind === 'approval' && isInTheWay && trouble !== undefined) {
				expect(trouble.message).not.toBe('');
				expect(lookAt(root)).toEqual(before);
				hindered?.clear(root);
				before = lookAt(root);
				isInTheWay = false;
			}

			return usualChoice(item);
		},
	});
	expect(isInTheWay).toBe(false);
	await expectNobodyLeft(project, end.id);
	await expectEventsKept(end);
	const {commit, from} = requirePublished(end.seen);
	expect(git(root, 'rev-parse', branch, `${branch}^`)).toBe(`${commit}\n${from}`);
	const paths = git(root, 'diff', '--name-only', '-z', from, commit).split('\0').slice(0, -1);
	expect(paths.toSorted()).toEqual(merged.toSorted());
	// What was merged is in the checkout as git would write it there: nothing of it looks edited.
	const quiet = ['--no-optional-locks', '--literal-pathspecs'];
	expect(git(root, ...quiet, 'status', '--porcelain', '--', ...paths)).toBe('');
	const without = (look: Look) => withoutMerged(look, {branch, paths});
	expect(without(lookAt(root))).toEqual(without(before));
};

/** What keeps the result from the target, once it was told. */
const troubleIn = (waits: Waits, cause: string | RegExp = '') =>
	cause instanceof RegExp
		? [...waits.events('effect.failed'), ...waits.events('merge.refused')].find(({message}) =>
				cause.test(message),
			)
		: waits.events('merge.refused').find(refused => refused.cause === cause);

const requirePublished = (seen: readonly Event[]) => {
	const published = seen.filter(event => event.kind === 'merge.published');
	expect(published).toHaveLength(1);
	return published[0] ?? {commit: '', from: ''};
};

const withoutMerged = (
	{files, index, refs, rest}: Look,
	{branch, paths}: {readonly branch: string; readonly paths: readonly string[]},
): Look => ({
	files: files.filter(line => !paths.includes(line.split('\0')[0] ?? '')),
	index: index.filter(line => !paths.includes(line.slice(line.indexOf('\t') + 1))),
	refs: refs.filter(line => !line.startsWith(`${branch} `)),
	rest,
});
