/*
Gives files of a repository new content: `write-files.ts ROOT STAMP`, with their numbers as JSON on stdin.

It is another process, as in a session: its memory does not count for the measured one, where it would slow down each start of git.
*/
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {json} from 'node:stream/consumers';
import {z} from 'zod';
import {contentOf, pathOf} from './snapshot-files.ts';

const [root, stamp] = z.tuple([z.string(), z.string()]).parse(process.argv.slice(2));
for (const number of z.array(z.int()).parse(await json(process.stdin))) {
	const path = join(root, pathOf(number));
	await mkdir(dirname(path), {recursive: true});
	await writeFile(path, contentOf(number, stamp));
}
