import type {Ecosystem} from './ecosystem.ts';
import {keyOfLine, sectionLines} from './sections.ts';

const list = /(?:^|\.)(?:dev-|build-)?dependencies$/;
const single = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/;

export const cargo: Ecosystem = {
	languages: ['rust'],
	manifests: /(?:^|\/)Cargo\.toml$/,
	read: (_, lines) =>
		sectionLines(lines).flatMap(({section, text, line}) => {
			const own = single.exec(section)?.[1];
			const said = keyOfLine(text);
			if (own !== undefined) {
				return said?.key === 'version' ? [{name: own, version: said.value, line}] : [];
			}

			return said !== undefined && list.test(section)
				? [{name: said.key, version: versionIn(said.value), line}]
				: [];
		}),
	isFrom: ({module, name}, crate) =>
		(module === '' ? name : module.split('::')[0]) === crate.replaceAll('-', '_'),
};

/** `"1.2"`, or the version of `{ version = "1.2", … }`. */
const versionIn = (value: string): string =>
	value.startsWith('{') ? (/version\s*=\s*"([^"]*)"/.exec(value)?.[1] ?? '') : value;
