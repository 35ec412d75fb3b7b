import {glob, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Playground} from '../pictures/playground.ts';
import {pass, sessionOf} from './idle.ts';

const signals = 60_000;

/** Three agents of which the first says 60,000 times how far it is. */
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

/** Waits until the last of that is in the journal, which keeps what moves on and not each word of it. */
export const untilGrown = async ({environment}: Playground): Promise<void> => {
	const journals = join(environment.DELEGATE_TUI_STATE ?? '', '*/DEL-*/journal/*.ndjson');
	for (let isTold = false; !isTold; await pass(1)) {
		for await (const path of glob(journals)) {
			isTold ||= (await readFile(path, 'utf8')).includes(`Read ${signals}/${signals} files`);
		}
	}
};
