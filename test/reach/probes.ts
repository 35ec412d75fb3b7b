import {readFileSync} from 'node:fs';
import {arch} from 'node:os';
import {join, resolve} from 'node:path';
import {parse} from 'yaml';
import {z} from 'zod';

/** One try of an agent to get at something that is not its business. */
export type Probe = {
	/** Its place in the table, as a file is called. */
	readonly name: string;
	/** What is tried, as the row of a table says it. */
	readonly area: string;
	/** Who tries it. */
	readonly agent: 'AGT-001' | 'AGT-002';
	/** Path, socket or text of what the test laid; variables stand for folders of the test. */
	readonly canary: string;
	readonly kind: Kind;
	/** What the agent has bash do. */
	readonly line: string;
	/** What the test has bash do before and after: what it prints is another text where the probe got through. */
	readonly look?: string;
	/** By which words of ours a person learns that it got through. */
	readonly told?: RegExp;
};

/**
What becomes of a canary that is reached.

- `kept`: a file is no more as it was; `new`: there is one
- `secret`, `says`: the agent printed what the canary held, or a text
- `hears`: a socket or port was connected to
- `left`: a process of that name outlives the session
- `looks`: something looks otherwise
*/
type Kind = (typeof kinds)[number] | 'looks';

const kinds = ['kept', 'new', 'secret', 'says', 'hears', 'left'] as const;

const text = z.string().optional();

const written = z.strictObject({
	...{kept: text, new: text, secret: text, says: text, hears: text, left: text},
	by: z.string().optional(),
	look: z.string().optional(),
	told: z.string().optional(),
	/** Its system calls go by numbers of one kind of machine. */
	only: z.literal('x64').optional(),
});

const tables = z.record(z.string(), z.array(written));

const folder = resolve(import.meta.dirname, '../../fixtures/agents/reaches/probes');

/** What is known to be left open, which the table shows as such. */
export const leftOpen = 'what is left open';

/** What an agent does to its own repository would be in the way of all others. */
const byItself = 'our git runs what an agent planted';

/** Returns all probes, in the order in which they are tried. */
export const readProbes = (): readonly Probe[] =>
	['files', 'sockets', 'git', 'session', 'open'].flatMap((file, part) =>
		Object.entries(tables.parse(parse(readFileSync(join(folder, `${file}.yaml`), 'utf8'))))
			.flatMap(([area, rows]) => rows.map(row => ({area, row})))
			.filter(({row: {only = arch()}}) => only === arch())
			.map(({area, row}, index) => probeOf(area, row, `${part}-${String(index).padStart(3, '0')}`)),
	);

const probeOf = (area: string, row: z.infer<typeof written>, name: string): Probe => {
	const kind = kinds.find(kind => row[kind] !== undefined) ?? 'looks';
	const canary = kind === 'looks' ? '' : String(row[kind]);
	const line = row.by ?? plainLines[kind];
	const {look, told} = row;
	return {
		...{name, area, kind, canary, line},
		agent: area === byItself ? 'AGT-002' : 'AGT-001',
		...(look === undefined ? {} : {look}),
		...(told === undefined ? {} : {told: new RegExp(told)}),
	};
};

const plainLines: Readonly<Record<Kind, string>> = {
	kept: 'put',
	new: 'put',
	secret: 'cat "$canary"',
	hears: 'call',
	says: '',
	left: '',
	looks: '',
};

/** What an agent runs: the line of its canary, and what it does about that. */
export const scriptsOf = (probes: readonly Probe[]): Readonly<Record<string, string>> =>
	Object.fromEntries(
		probes.map(({name, agent, canary, line}) => [
			`probes/${agent}/${name}`,
			`${canary}\n${line}\n`,
		]),
	);
