import {once} from 'node:events';
import {describe, expect, it} from 'vitest';
import {createConversations} from '../../src/supervisor/conversations.ts';
import {makeConversation} from './a-conversation.ts';

describe('conversations', () => {
	it('are kept for the next turn of their agent, and of no other', async () => {
		const conversations = createConversations();
		const one = makeConversation('one');
		const other = makeConversation('other');
		await conversations.open('AGT-001', async () => one.conversation);
		conversations.keep('AGT-001', 60_000);
		expect((await conversations.open('AGT-001', never)).id).toBe('one');
		expect((await conversations.open('AGT-002', async () => other.conversation)).id).toBe('other');
		await conversations.endAll();
		expect([one.did.ended, other.did.ended]).toEqual([1, 1]);
	});

	it('end when they were kept for long enough', async () => {
		const conversations = createConversations();
		const {conversation, gone, did} = makeConversation('one');
		await conversations.open('AGT-001', async () => conversation);
		conversations.keep('AGT-001', 1);
		await gone;
		expect(did.ended).toBe(1);
	});

	it('are taken up if they suit the next turn, and end otherwise', async () => {
		const conversations = createConversations();
		const {conversation, did} = makeConversation('one');
		await conversations.open('AGT-001', async () => conversation);
		expect(await conversations.takeUp('AGT-001')).toBe(conversation);
		expect(await conversations.takeUp('AGT-001', () => false)).toBe(undefined);
		expect(did.ended).toBe(1);
	});

	it('whose process is gone are opened again', async () => {
		const conversations = createConversations();
		const {conversation, did} = makeConversation('one');
		await conversations.open('AGT-001', async () => conversation);
		did.isGone = true;
		const fresh = makeConversation('two').conversation;
		expect((await conversations.open('AGT-001', async () => fresh)).id).toBe('two');
	});

	it('that could not be opened are tried again', async () => {
		const conversations = createConversations();
		const failing = conversations.open('AGT-001', async () => {
			throw new Error('not logged in');
		});
		await expect(failing).rejects.toThrow('not logged in');
		const {conversation} = makeConversation('one');
		expect((await conversations.open('AGT-001', async () => conversation)).id).toBe('one');
	});

	it('that are being opened are given up with all the others', async () => {
		const conversations = createConversations();
		const started = Promise.withResolvers<void>();
		const opening = conversations.open('AGT-001', async signal => {
			started.resolve();
			await once(signal, 'abort');
			throw new Error('unwanted');
		});
		const refused = expect(opening).rejects.toThrow('unwanted');
		await started.promise;
		await conversations.endAll();
		await refused;
	});

	it('are not opened any more when all were ended', async () => {
		const conversations = createConversations();
		const opening = conversations.open('AGT-001', never);
		const refused = expect(opening).rejects.toThrow('The supervisor is stopping.');
		await conversations.endAll();
		await refused;
	});
});

const never = (): never => expect.unreachable();
