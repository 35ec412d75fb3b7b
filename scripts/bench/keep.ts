import {mkdir, writeFile} from 'node:fs/promises';
import {cpus} from 'node:os';
import {join, resolve} from 'node:path';

/** Time and place of a measurement. */
export type Occasion = {readonly date: string; readonly machine: string};

export const occasion = (): Occasion => ({
	date: new Date().toISOString().slice(0, 10),
	machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.versions.node}`,
});

/** Writes files into `docs/bench`. */
export const keep = async (files: Readonly<Record<string, string>>): Promise<void> => {
	const folder = resolve(import.meta.dirname, '../../docs/bench');
	await mkdir(folder, {recursive: true});
	for (const [name, text] of Object.entries(files)) {
		await writeFile(join(folder, name), text);
	}
};

/** Returns measurements as readable JSON, with a list of numbers in one line. */
export const figures = (measured: unknown): string =>
	`${JSON.stringify(measured, null, '\t')}\n`.replaceAll(
		/\[\s+([\d.,\s]+)\s+\]/g,
		(_, numbers: string) => `[${numbers.trim().split(/,\s+/).join(', ')}]`,
	);
