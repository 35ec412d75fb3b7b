import {readJsonObject} from '../../../lib/text/json-object.ts';
import type {Ecosystem, Wanted} from './ecosystem.ts';

const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

export const npm: Ecosystem = {
	languages: ['typescript', 'tsx', 'javascript'],
	manifests: /(?:^|\/)package\.json$/,
	read: (_, lines) => {
		const manifest = readJsonObject(lines.join('\n'));
		return manifest && lists.flatMap(list => wantedIn(manifest[list], lines));
	},
	isFrom: ({module}, name) => module === name || module.startsWith(`${name}/`),
};

const wantedIn = (list: unknown, lines: readonly string[]): readonly Wanted[] =>
	Object.entries(list ?? {}).map(([name, version]) => ({
		name,
		version: String(version),
		line: lines.findIndex(line => line.trim().startsWith(`${JSON.stringify(name)}:`)) + 1 || 1,
	}));
