import {expect, onTestFinished, test} from 'vitest';
import {lendTerminal} from '../../../src/lib/process/lend-terminal.ts';

test('Ctrl-C for a program that has the terminal ends nothing of ours, even where that program’s end is heard first', async () => {
	const heard = Promise.withResolvers<number>();
	// As libraries do that clean up: they end the process where nobody else listens.
	const cleansUp = () => heard.resolve(process.listenerCount('SIGINT') - 1);
	process.on('SIGINT', cleansUp);
	onTestFinished(() => void process.off('SIGINT', cleansUp));
	await lendTerminal(async () => {
		process.kill(process.pid, 'SIGINT');
	});
	expect(await heard.promise).toBe(1);
	expect(process.listenerCount('SIGINT')).toBe(1);
});
