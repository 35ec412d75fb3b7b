import {describe, expect, it} from 'vitest';
import {claude} from '../../../src/agents/profiles/claude.ts';
import {codex} from '../../../src/agents/profiles/codex.ts';
import type {Given} from '../../../src/agents/profiles/profile.ts';

const given = (thinking?: Given['thinking'], protocol: Given['protocol'] = 'acp'): Given => ({
	protocol,
	command: ['agent'],
	environment: {},
	readOnly: false,
	...(thinking === undefined ? {} : {thinking}),
	trusted: false,
	riskyFiles: [],
	folder: '/launch',
});

describe('how hard an agent thinks', () => {
	it.each([
		[undefined, undefined],
		['think', 'high'],
		['think-hard', 'max'],
	] as const)('is told Claude Code as its effort: %s is %s', (thinking, effort) => {
		const {meta} = claude.launch(given(thinking));
		expect(meta).toMatchObject({claudeCode: {options: effort === undefined ? {} : {effort}}});
		expect(JSON.stringify(meta).includes('effort')).toBe(effort !== undefined);
	});

	it('is told Codex by its config, and where it prints by its words', () => {
		const {CODEX_CONFIG = ''} = codex.launch(given('think-hard')).environment;
		expect(JSON.parse(CODEX_CONFIG)).toMatchObject({model_reasoning_effort: 'high'});
		expect(codex.launch(given('think', 'text')).command).toContain(
			'model_reasoning_effort="medium"',
		);
	});

	it('is left to them by itself', () => {
		const {CODEX_CONFIG = ''} = codex.launch(given()).environment;
		expect(JSON.parse(CODEX_CONFIG)).not.toHaveProperty('model_reasoning_effort');
	});
});
