import {glob, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Playground} from '../pictures/playground.ts';
import {pass, sessionOf} from './idle.ts';

const signals = 60_000;

/** Three agents, the first of which reports its progress 60,000 times. */
export const growing = sessionOf([
	'node',
	'-e',
	`
const {stdout} = process;
let said = 0;
const say = () => {
	while (said < (process.env.DELEGATE_AGENT === 'AGT-001' ? ${signals} : 0)) {
		said++;
		if (!stdout.write(\`PROGRESS: Phase \${said} - Read \${said}/${signals} files\\n\`)) {
			stdout.once('drain', say);
			return;
		}
	}
};
say();
setInterval(() => {}, 1e6);
`.replaceAll(/\s*\n\s*/g, ' '),
]);

/** Waits until the last of these reports is in the journal, which does not store each of them. */
export const untilGrown = async ({environment}: Playground): Promise<void> => {
	const journals = join(environment.DELEGATE_TUI_STATE ?? '', '*/DEL-*/journal/*.ndjson');
	for (let isTold = false; !isTold; await pass(1)) {
		for await (const path of glob(journals)) {
			isTold ||= (await readFile(path, 'utf8')).includes(`Read ${signals}/${signals} files`);
		}
	}
};
