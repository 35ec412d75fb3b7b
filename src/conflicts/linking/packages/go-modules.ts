import type {Ecosystem, Wanted} from './ecosystem.ts';

export const goModules: Ecosystem = {
	languages: ['go'],
	manifests: /(?:^|\/)go\.mod$/,
	read: (_, lines) => {
		const wanted: Wanted[] = [];
		let block = '';
		for (const [position, whole] of lines.entries()) {
			const words = whole
				.replace(/\/\/.*$/, '')
				.trim()
				.split(/\s+/);
			const [first = '', second = ''] = words;
			if (second === '(') {
				block = first;
			} else if (first === ')') {
				block = '';
			} else {
				const [verb = '', name = '', version = ''] = block === '' ? words : [block, ...words];
				if (verb === 'require' && version !== '') {
					wanted.push({name, version, line: position + 1});
				}
			}
		}

		return wanted;
	},
	isFrom: ({module}, name) => module === name || module.startsWith(`${name}/`),
};
