import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import type {Detail} from '../../../src/agents/acp/speech/activity.ts';
import {hearStream} from '../../../src/agents/print/hear-stream.ts';
import {readDetail} from '../../../src/client/activity/account.ts';
import {streamVendors} from '../../../src/events/vendors.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

/** One detail of each kind; the record makes the list complete. */
const details: Readonly<Record<Detail['kind'], Detail>> = {
	thought: {kind: 'thought', text: 'Hm.', message: 'm1'},
	plan: {kind: 'plan', entries: [{content: 'Read', priority: 'high', status: 'pending'}]},
	tool: {
		kind: 'tool',
		id: 'call-1',
		title: 'Edit',
		tool: 'edit',
		status: 'completed',
		paths: ['src/a.js'],
		diffs: [{path: 'src/a.js', oldText: 'a', newText: 'b'}],
		durationMs: 5,
	},
	tokens: {kind: 'tokens', input: 1, output: 2, total: 3, cost: {amount: 1, currency: 'USD'}},
	refusal: {kind: 'refusal', about: 'call-1', title: 'git push'},
	denied: {kind: 'denied', path: '/etc/shadow', to: 'read'},
	trouble: {kind: 'trouble', about: 'call-1', text: 'no such file'},
	retrying: {kind: 'retrying', why: 'Reconnecting... 3/5: Overloaded'},
	unmet: {kind: 'unmet', what: 'It takes no pictures.'},
	introduction: {kind: 'introduction', name: 'an agent', version: '1.2.3'},
	conversation: {kind: 'conversation', id: 'c1'},
	usage: {kind: 'usage', used: 1, size: 2, cost: {amount: 1, currency: 'EUR'}},
};

const place = {at: '2026-11-21T23:41:49.000Z', agent: 'AGT-001', turn: 1, offset: 7};

test('all that an agent can tell of itself can be read, but for what is taken before it is written', () => {
	for (const detail of Object.values(details)) {
		const read = readDetail(JSON.stringify({...place, ...detail}));
		if (detail.kind === 'conversation' || detail.kind === 'denied') {
			expect(read).toBeUndefined();
		} else {
			expect(read, detail.kind).toMatchObject({...place, kind: detail.kind});
		}
	}
});

test.each(streamVendors)('what %s does stands where its words were at the time', async vendor => {
	const transcript = join(temporaryFolder(), 'transcript.txt');
	const offsets: number[] = [];
	await hearStream(chunks(resolve('fixtures/streams', `${vendor}.ndjson`)), {
		vendor,
		transcript,
		expect: [],
		onSignal: () => {},
		onDetail: (detail, offset) => {
			expect(readFileSync(transcript)).toHaveLength(offset);
			offsets.push(detail.kind === 'tool' ? offset : 0);
		},
	});
	expect(Math.max(...offsets)).toBeGreaterThan(0);
	expect(Math.max(...offsets)).toBeLessThan(readFileSync(transcript).length);
});

/** A stream as it comes: in pieces. */
async function* chunks(path: string): AsyncGenerator<Uint8Array> {
	const bytes = readFileSync(path);
	for (let from = 0; from < bytes.length; from += 100) {
		yield bytes.subarray(from, from + 100);
	}
}
