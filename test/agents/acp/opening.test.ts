import {describe, expect, it} from 'vitest';
import {requireOldest} from '../../../src/agents/acp/connection.ts';
import type {ConversationOpening} from '../../../src/agents/acp/conversation.ts';
import {byHand, open} from './converse.ts';

type Told = {readonly method: string; readonly [name: string]: unknown};

/** Opens a conversation and returns what the agent was told with it. */
const openedWith = async (
	words: readonly string[],
	options: Partial<ConversationOpening>,
): Promise<readonly Told[]> => {
	const {conversation, complaints} = await open(byHand('steered', ...words), options);
	await conversation.end();
	return complaints()
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line));
};

const takesWords = '{"sessionCapabilities":{"resume":{},"systemPrompt":{}}}';
const loads = '{"loadSession":true}';

describe('a conversation that is opened', () => {
	it('hands on what is the agent’s own, and lasting words where it takes them', async () => {
		const quirks = {meta: {claudeCode: {options: {}}}, reminder: 'Mind the scope.'};
		const [told] = await openedWith([takesWords], {quirks});
		expect(told).toMatchObject({
			method: 'session/new',
			_meta: {claudeCode: {options: {}}},
			systemPrompt: {mode: 'append', content: [{type: 'text', text: 'Mind the scope.'}]},
		});
		const [other] = await openedWith([loads], {quirks});
		expect(other).not.toHaveProperty('systemPrompt');
	});

	it('has what is to be told again with each prompt where it takes no lasting words', async () => {
		const quirks = {reminder: 'Mind the scope.'};
		const {conversation} = await open(byHand('steered', loads), {quirks});
		expect(conversation.reminder).toBe('Mind the scope.');
		const {conversation: other} = await open(byHand('steered', takesWords), {quirks});
		expect(other.reminder).toBeUndefined();
	});

	it('says them again when it is resumed or loaded', async () => {
		const quirks = {meta: {own: true}, reminder: 'Mind the scope.'};
		const [resumed] = await openedWith([takesWords], {quirks, earlier: 's-1'});
		expect(resumed).toMatchObject({method: 'session/resume', _meta: {own: true}});
		expect(resumed).toHaveProperty('systemPrompt');
		const [loaded] = await openedWith([loads], {quirks, earlier: 's-1'});
		expect(loaded).toMatchObject({method: 'session/load', _meta: {own: true}, sessionId: 's-1'});
	});

	it.each([undefined, 's-1'])('is put into the mode in which it asks: %s', async earlier => {
		const options = {quirks: {mode: 'asks'}, ...(earlier === undefined ? {} : {earlier})};
		const [, told] = await openedWith([loads], options);
		expect(told).toMatchObject({method: 'session/set_mode', modeId: 'asks', sessionId: 's-1'});
	});

	it('is put into the mode that a person sets, and into the one in which it asks where that is not offered', async () => {
		const unmet: string[] = [];
		const options = {quirks: {mode: 'asks'}, onUnmet: (what: string) => unmet.push(what)};
		const modes = async (mode: string) =>
			(await openedWith([loads], {...options, mode})).flatMap(({modeId}) => modeId ?? []);
		expect(await modes('asks')).toEqual(['asks']);
		expect(unmet).toEqual([]);
		expect(await modes('dreams')).toEqual(['asks']);
		expect(unmet).toEqual(['It offers no mode dreams; it works in its usual one.']);
	});

	it('is put onto the model that a person wants, where it offers that', async () => {
		const models = async (model: string) =>
			(await openedWith([loads], {model, earlier: 's-1'})).flatMap(({value}) => value ?? []);
		expect(await models('large')).toEqual(['large']);
		expect(await models('small')).toEqual([]);
		expect(await models('unknown')).toEqual([]);
	});

	it('hands on the servers of tools that a person names, whose calls are not taken for calls of ours', async () => {
		const server = (name: string) => ({name, command: 'x', args: [], env: []});
		const [told] = await openedWith([loads], {tools: [server('ours')], servers: [server('docs')]});
		expect(told).toMatchObject({mcpServers: [{name: 'ours'}, {name: 'docs'}]});
		const {conversation} = await open(byHand('steered', loads), {
			...{tools: [server('ours')], servers: [server('docs')]},
		});
		expect(conversation).toMatchObject({tools: ['ours'], seesImages: false});
	});

	it('gets those servers on the network that it says it can talk to, and the others are told', async () => {
		const unmet: string[] = [];
		const onUnmet = (what: string): void => {
			unmet.push(what);
		};
		const on = (type: 'http' | 'sse') => ({name: type, type, url: 'https://x.org/', headers: []});
		const can = '{"mcpCapabilities":{"http":true}}';
		const [told] = await openedWith([can], {servers: [on('http'), on('sse')], onUnmet});
		expect(told).toMatchObject({mcpServers: [{name: 'http', type: 'http'}]});
		expect(unmet).toEqual(['It supports no network servers of this kind, so it does not get sse.']);
	});

	it.each([
		['it is in already', 'asks', 'asks'],
		['it does not offer', 'auto', 'dreams'],
	])('is left in its mode when the other is one that %s', async (_, current, mode) => {
		const told = await openedWith([loads, '1.0.0', current], {quirks: {mode}});
		expect(told.map(({method}) => method)).toEqual(['session/new']);
	});
});

describe('the version of an agent', () => {
	const oldest = {version: '0.100.0', install: 'npm install -g it@0.100.0'};

	it('is looked at before a conversation is opened, and what brings a newer one is said', async () => {
		const old = open(byHand('steered', '{}', '0.49.0'), {quirks: {oldest}});
		await expect(old).rejects.toMatchObject({
			kind: 'missing',
			message:
				'steered is 0.49.0 here, and only 0.100.0 and newer can be kept from running programs that a project names; to install that: npm install -g it@0.100.0',
		});
		const {conversation} = await open(byHand('steered', '{}', '0.100.0'), {quirks: {oldest}});
		expect(conversation.introduction).toEqual({name: 'steered', version: '0.100.0'});
	});

	const isTooOld = (version: string): boolean => {
		try {
			requireOldest({name: 'it', version}, oldest);
			return false;
		} catch {
			return true;
		}
	};

	it.each(['0.49.0', '0.99.9', '0.99.1-beta.1', '0.9'])('%s is too old', version => {
		expect(isTooOld(version)).toBe(true);
	});

	it.each(['0.100.0', '0.100.1', '0.101.0', '1.0.0', '2', 'nightly'])('%s will do', version => {
		expect(isTooOld(version)).toBe(false);
	});
});

describe('an agent without a login', () => {
	it.each([
		['the command that helps', {login: 'run `it login`'}, 'run `it login`'],
		['its own program where no command is known', {}, 'use its own program'],
	])('is told of with %s and the ways that it announces', async (_, quirks, help) => {
		const opening = open(byHand('fails', 'new', '-32000', 'Key is missing'), {quirks});
		await expect(opening).rejects.toMatchObject({
			kind: 'refused',
			message: `it is not logged in, or its login was refused: Key is missing; to log in, ${help}; it offers "Account" (In a browser. It opens) or "Key"`,
		});
	});
});

describe('an agent that wants a login', () => {
	const opening = (where: string, loginBy?: string) => {
		const ways: string[] = [];
		const opened = open(byHand('logs-in', where), {
			...(loginBy === undefined ? {} : {loginBy}),
			onLoginWanted: told => {
				ways.push(...told.map(({id, command}) => command ?? id));
			},
		});
		return {opened, ways};
	};

	it.each(['new', 'prompt'])(
		'logs in by the way that was chosen, once, and goes on: at %s',
		async where => {
			const {opened, ways} = opening(where, 'account');
			const {conversation, complaints} = await opened;
			expect(await conversation.prompt('go')).toEqual({reason: 'end_turn'});
			expect(await conversation.prompt('on')).toEqual({reason: 'end_turn'});
			const logins = () => complaints().match(/^authenticate account$/gm) ?? [];
			await expect.poll(logins).not.toEqual([]);
			expect(logins()).toHaveLength(1);
			expect(ways).toEqual([]);
		},
	);

	it.each([
		['none was chosen', undefined, 'Authentication required'],
		['the chosen one was refused', 'key', 'The key was refused'],
		['the chosen one takes a terminal', 'shell', 'Authentication required'],
	])('tells its ways where %s', async (_, loginBy, said) => {
		const {opened, ways} = opening('new', loginBy);
		await expect(opened).rejects.toMatchObject({
			message: `it is not logged in, or its login was refused: ${said}; to log in, use its own program; it offers "Account" (In a browser), "Key" or "Shell", by \`logs-in login\` in a terminal`,
		});
		expect(ways).toEqual(['account', 'key', 'logs-in login']);
	});
});

describe('an agent whose program is missing', () => {
	it('is told of with the command that brings it', async () => {
		const opening = open(['no-such-agent'], {install: 'npm install -g it@1'});
		await expect(opening).rejects.toMatchObject({
			kind: 'missing',
			message:
				'The agent’s program "no-such-agent" was not found; `npm install -g it@1` brings it.',
			hint: 'npm install -g it@1',
		});
	});
});
