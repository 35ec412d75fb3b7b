import {rename, rm} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import {ifThere} from '../../lib/files/if-there.ts';
import {openRegularFile} from '../../lib/files/open-regular-file.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';

/** What makes every git that an agent starts tell in a file what it is asked to do and how it ends. */
export const tracingEnvironment = (trace: string): Readonly<Record<string, string>> => ({
	GIT_TRACE2_EVENT: trace,
	GIT_TRACE2_EVENT_BRIEF: '1',
	GIT_TRACE2_EVENT_NESTING: '1',
});

/**
Returns whether one of them was a push that came to nothing, and clears the file.

No hook could tell: git runs those of a push once it has reached the other side. The agent writes this file, so it is proof of nothing but that somebody tried.
*/
export const triedToPush = async (trace: string): Promise<boolean> => {
	const taken = `${trace}.taken`;
	await ifThere(rename(trace, taken));
	try {
		return (await ifThere(holdsFailedPush(taken))) ?? false;
	} catch {
		// Something else is in its place, or it can't be read: whoever did that has nothing to tell.
		return false;
	} finally {
		await rm(taken, {recursive: true, force: true}).catch(() => {});
	}
};

const holdsFailedPush = async (path: string): Promise<boolean> => {
	const file = await openRegularFile(path);
	const lines = createInterface({input: file.createReadStream({end: mostBytes})});
	const pushes = new Set<unknown>();
	let failed = false;
	for await (const line of lines) {
		const {event, sid, name, code} = (isOfUse(line) && readJsonObject(line)) || {};
		if (event === 'cmd_name' && name === 'push') {
			pushes.add(sid);
		} else if (event === 'exit' && code !== 0) {
			failed ||= pushes.has(sid);
		}
	}

	return failed;
};

/** So much of it is read; an hour of work comes to some megabytes. */
const mostBytes = 64 * 2 ** 20;

const isOfUse = (line: string): boolean => /"event":"(?:cmd_name|exit)"/.test(line);
