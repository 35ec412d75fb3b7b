import {readFile, realpath} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {execa} from 'execa';
import {z} from 'zod';
import {defined} from '../../../lib/defined.ts';
import {temporaryFolder} from '../../../lib/files/temporary-folder.ts';
import {readJson} from '../../../lib/text/json-object.ts';

export type VersionOptions = {
	/** The package of npm that would bring it. */
	readonly package?: string;
	readonly path: string | undefined;
	/** How long it may take to tell its version, in milliseconds. */
	readonly patienceMs?: number;
};

/**
Returns the version of a program; nothing when it can't be told.

The package that it came with is asked first: that starts nothing, and is as good as immediate where the program takes seconds. Else it is run with `--version`, in an empty home, with nothing to read and no way to the network that it would find by itself.
*/
export const programVersion = async (
	program: string,
	options: VersionOptions,
): Promise<string | undefined> =>
	(await packageVersion(program, options.package)) ?? (await printedVersion(program, options));

const manifest = z.object({name: z.string(), version: z.string()});

const packageVersion = async (
	program: string,
	name: string | undefined,
): Promise<string | undefined> => {
	if (name === undefined) {
		return undefined;
	}

	const file = await realpath(program);
	for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
		const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
		const read = text === undefined ? undefined : manifest.safeParse(readJson(text)).data;
		if (read?.name === name) {
			return read.version;
		}
	}

	return undefined;
};

/** Nobody listens there, so that whoever asks for news is refused at once. */
const nowhere = 'http://127.0.0.1:9';

const printedVersion = async (
	program: string,
	{path, patienceMs = 5000}: VersionOptions,
): Promise<string | undefined> => {
	await using home = await temporaryFolder(join(tmpdir(), 'delegate-doctor-'));
	const {stdout} = await execa(program, ['--version'], {
		cwd: home.path,
		env: {
			...defined({PATH: path}),
			HOME: home.path,
			TMPDIR: home.path,
			HTTP_PROXY: nowhere,
			HTTPS_PROXY: nowhere,
			ALL_PROXY: nowhere,
			NO_UPDATE_NOTIFIER: '1',
			DISABLE_AUTOUPDATER: '1',
			OPENCODE_DISABLE_AUTOUPDATE: '1',
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		},
		extendEnv: false,
		reject: false,
		stdin: 'ignore',
		stderr: 'ignore',
		timeout: patienceMs,
		forceKillAfterDelay: 500,
		maxBuffer: 64 * 1024,
	});
	return /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(String(stdout ?? ''))?.[0];
};
