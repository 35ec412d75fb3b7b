import type {Ecosystem, Wanted} from './ecosystem.ts';
import {keyOfLine, sectionLines} from './sections.ts';

export const pypi: Ecosystem = {
	languages: ['python'],
	manifests: /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|pyproject\.toml)$/,
	read: (path, lines) => (path.endsWith('.toml') ? projectOf(lines) : requirementsOf(lines)),
	unclear: /(?:^|\/)(?:setup\.(?:py|cfg)|Pipfile|tox\.ini|environment\.ya?ml)$/,
	isFrom: ({module}, name) => plain(module.split('.')[0] ?? '') === plain(name),
};

/** Case and the sign between words make no difference; what is imported is mostly called alike. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '_');

const asWanted = (requirement: string, line: number): readonly Wanted[] => {
	const form =
		/^(?<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?<version>[=<>!~^][^;#]*)?(?:[;#@\s]|$)/;
	const {name, version = ''} = form.exec(requirement.trim())?.groups ?? {};
	return name === undefined ? [] : [{name, version: version.trim(), line}];
};

const requirementsOf = (lines: readonly string[]): readonly Wanted[] =>
	lines.flatMap((text, position) => asWanted(text, position + 1));

/** Lists of quoted requirements, and the tables of Poetry. */
const projectOf = (lines: readonly string[]): readonly Wanted[] => {
	let isInList = false;
	return sectionLines(lines).flatMap(({section, text, line}) => {
		if (/^tool\.poetry\.(?:[\w.-]+\.)?(?:dev-)?dependencies$/.test(section)) {
			const said = keyOfLine(text);
			return said === undefined ? [] : [{name: said.key, version: said.value, line}];
		}

		const isListed = /^(?:project\.optional-dependencies|dependency-groups)$/.test(section);
		isInList = section === 'project' && (isInList || /^dependencies\s*=/.test(text));
		const quoted = isListed || isInList ? [...text.matchAll(/"([^"]+)"|'([^']+)'/g)] : [];
		isInList &&= !/\]\s*$/.test(text);
		return quoted.flatMap(([, one, other]) => asWanted(one ?? other ?? '', line));
	});
};
