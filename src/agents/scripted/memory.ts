import {mkdir, readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {z} from 'zod';
import {writeAtomically} from '../../lib/files/write-atomically.ts';

const memorySchema = z.object({
	/** Number of the step that comes next, from 0. */
	position: z.int().min(0),
	/** Answers to its questions, by their ids. */
	answers: z.record(z.string(), z.string()),
});

export type Memory = z.output<typeof memorySchema>;

export const emptyMemory: Memory = {position: 0, answers: {}};

/** Returns what is known of a conversation, or nothing where there was no such one. */
export const recall = async (conversation: string): Promise<Memory | undefined> => {
	if (!/^[\w-]+$/.test(conversation)) {
		return undefined;
	}

	const text = await readFile(fileOf(conversation), 'utf8').catch(() => 'null');
	return memorySchema.safeParse(JSON.parse(text)).data;
};

/** Keeps what is known of a conversation, so that it outlives the process. */
export const remember = async (conversation: string, memory: Memory): Promise<void> => {
	await mkdir(folder, {recursive: true, mode: 0o700});
	await writeAtomically(fileOf(conversation), JSON.stringify(memory), {mode: 0o600});
};

/** Of the temporary folder, since the worktree is what the agent is judged by. */
const folder = join(tmpdir(), 'delegate-tui-scripted');

const fileOf = (conversation: string): string => join(folder, `${conversation}.json`);
