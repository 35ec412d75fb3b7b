import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createSpeech, pacedSpeech} from '../../../src/agents/acp/speech/speech.ts';
import type {Signal} from '../../../src/signals/index.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const listen = () => {
	const transcript = join(temporaryFolder(), 'transcript');
	const heard: Signal[] = [];
	const speech = pacedSpeech(
		createSpeech({transcript, expect: [], onSignal: signal => heard.push(signal)}),
	);
	return {speech, heard, transcript};
};

const flood = 'SUMMARY: 🌍\n'.repeat(50_000);

test('what else there is to do has its turn while a huge message is heard', async () => {
	const {speech, heard, transcript} = listen();
	speech.hear(flood, 'one');
	const heardAt: number[] = [];
	const look = (): void => {
		heardAt.push(heard.length);
		if (heard.length < 50_000) {
			setImmediate(look);
		}
	};

	look();
	await speech.end();
	expect(heard).toHaveLength(50_000);
	expect(heard.at(-1)).toEqual({kind: 'summary', line: 50_000, value: '🌍'});
	expect(readFileSync(transcript, 'utf8')).toBe(flood);
	const steps = heardAt.slice(1).map((count, index) => count - (heardAt[index] ?? 0));
	expect(Math.max(...steps)).toBeLessThan(5000);
});

test('what is said behind a huge message is heard behind it', async () => {
	const {speech, heard} = listen();
	speech.hear(flood);
	speech.pause();
	speech.hear('STATUS: read\n', 'two');
	await speech.end();
	expect(heard.at(-1)).toEqual({kind: 'status', line: 50_001, value: 'read'});
});

test('a short message is heard at once', async () => {
	const {speech, heard} = listen();
	speech.hear('STATUS: read\n');
	expect(heard).toHaveLength(1);
	await speech.end();
});
