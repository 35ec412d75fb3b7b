import {expect, test} from 'vitest';
import {configSchema} from '../../src/cli/config/schema.ts';
import {separate} from '../../src/cli/config/trust-rules.ts';

test.each([
	['off', {}, [['sandbox.mode', 'off']]],
	['required', {}, []],
	[{mode: 'off'}, {mode: 'required'}, [['sandbox.mode', 'off']]],
	[{network: 'off'}, {}, []],
	[{network: {hosts: ['example.org']}}, {}, []],
	[{network: 'open'}, {}, []],
	[{network: 'open'}, {network: 'off'}, [['sandbox.network', 'open']]],
	[
		{network: {hosts: ['example.org']}},
		{network: 'off'},
		[['sandbox.network', {hosts: ['example.org']}]],
	],
	[
		{network: {hosts: ['evil.example']}},
		{network: {hosts: ['example.org']}},
		[['sandbox.network', {hosts: ['evil.example']}]],
	],
	[{network: 'off'}, {network: {hosts: ['example.org']}}, []],
] as const)('a repository’s sandbox %j beside %j needs a yes for %j', (sandbox, now, asked) => {
	const settings = configSchema.parse({sandbox});
	const inForce = configSchema.parse({sandbox: {mode: 'auto', network: 'open', ...now}});
	const found = separate({settings, written: {sandbox}}, inForce);
	expect(found.asked.map(({path, written}) => [path, written])).toEqual(asked);
	expect(found.free).toEqual(asked.length === 0 ? settings : {});
});
