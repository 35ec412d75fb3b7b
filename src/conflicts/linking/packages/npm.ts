import {readJson} from '../../../lib/text/json-object.ts';
import type {Ecosystem, Wanted} from './ecosystem.ts';

const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

export const npm: Ecosystem = {
	languages: ['typescript', 'tsx', 'javascript'],
	manifests: /(?:^|\/)package\.json$/,
	read: (_, lines) => {
		const manifest = objectOf(readJson(lines.join('\n')));
		return manifest && lists.flatMap(list => wantedIn(objectOf(manifest[list]) ?? {}, lines));
	},
	isFrom: ({module}, name) => module === name || module.startsWith(`${name}/`),
};

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
	typeof value === 'object' && value !== null ? {...value} : undefined;

const wantedIn = (
	list: Readonly<Record<string, unknown>>,
	lines: readonly string[],
): readonly Wanted[] =>
	Object.entries(list).map(([name, version]) => ({
		name,
		version: String(version),
		line: lines.findIndex(line => line.trim().startsWith(`${JSON.stringify(name)}:`)) + 1 || 1,
	}));
