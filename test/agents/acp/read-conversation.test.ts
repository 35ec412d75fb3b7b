import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {listConversations} from '../../../src/agents/acp/read-conversation.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {byHand} from './converse.ts';

const listedBy = (command: readonly string[], folder: string) => {
	const directory = temporaryFolder();
	const id = randomUUID();
	return listConversations(
		{
			command,
			directory,
			environment: {PATH: process.env.PATH ?? '', TEST_AGENT: id},
			mark: `TEST_AGENT=${id}`,
			containment: groupsContainment('for a test'),
			complaints: join(directory, 'complaints.txt'),
		},
		{folder, onSurvivors: () => {}},
	);
};

describe('the conversations of a person with an agent', () => {
	it('are listed from all pages, and only those that began in the folder', async () => {
		expect(await listedBy(byHand('plays-back', '/shop/src'), '/shop')).toEqual([
			{id: 's-0', title: 'About ports', updatedAt: '2026-11-29T10:20:30Z'},
		]);
		expect(await listedBy(byHand('plays-back', '/shop/src'), '/shop/s')).toEqual([]);
	});

	it('are not where the agent offers no list', async () => {
		await expect(listedBy(byHand('steered', '{"loadSession":true}'), '/shop')).rejects.toThrow(
			'This agent lists no conversations over the protocol.',
		);
	});
});
