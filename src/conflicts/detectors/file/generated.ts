import {basename} from 'node:path';
import type {Detector} from '../../detector.ts';
import {keyOf} from '../../finding.ts';
import {overlapOf} from '../../overlap.ts';

/** F4, a note: files that a tool writes, and the command that writes them again. */
export const generated: Detector<'FILE_CONFLICT'> = async ({a, b}) =>
	overlapOf(a, b).flatMap(path => {
		const command = commands.get(basename(path));
		return command === undefined
			? []
			: [
					{
						type: 'FILE_CONFLICT',
						rule: 'F4',
						kind: 'generated',
						path,
						key: keyOf('F4', path),
						blocking: false,
						confidence: 'high',
						summary: `Both sides changed ${path}; take either, then let ${command} write it again.`,
						evidence: [
							{side: 'a', path},
							{side: 'b', path},
						],
					},
				];
	});

/** By the name of the file. */
const commands: ReadonlyMap<string, string> = new Map([
	['package-lock.json', 'npm install'],
	['npm-shrinkwrap.json', 'npm install'],
	['yarn.lock', 'yarn install'],
	['pnpm-lock.yaml', 'pnpm install'],
	['bun.lock', 'bun install'],
	['Cargo.lock', 'cargo generate-lockfile'],
	['go.sum', 'go mod tidy'],
	['poetry.lock', 'poetry lock'],
	['uv.lock', 'uv lock'],
	['Pipfile.lock', 'pipenv lock'],
	['Gemfile.lock', 'bundle install'],
	['composer.lock', 'composer update --lock'],
]);
