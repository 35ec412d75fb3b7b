import {readFile, writeFile} from 'node:fs/promises';
import {arch, platform} from 'node:os';
import {execa} from 'execa';
import {type Arguments, readArguments, usage} from './agents/arguments.ts';
import {type Occasion, withFaults, withTrials} from './agents/docs.ts';
import {faultTable, isTold} from './agents/faults/fault-table.ts';
import type {FaultTrial} from './agents/faults/try-fault.ts';
import {tryFaults} from './agents/faults/try-faults.ts';
import {remarksOn} from './agents/remarks.ts';
import {isGood, reasonsIn, tableOf} from './agents/table.ts';
import {type Trial, tryAgent} from './agents/try-agent.ts';
import {buildWhenStale} from './fresh.ts';

/*
Lets real agents work for delegate-tui, with a model of ours on loopback.
*/

const tryAll = async (
	{wanted, keep}: Arguments,
	signal: AbortSignal,
): Promise<readonly Trial[]> => {
	const trials: Trial[] = [];
	for (const vendor of wanted) {
		if (signal.aborted) {
			break;
		}

		console.error(`${vendor} …`);
		const trial = await tryAgent(vendor, {keep, signal});
		trials.push(trial);
		for (const remark of remarksOn(trial)) {
			console.error(remark);
		}
	}

	return trials;
};

const tell = async (trials: readonly Trial[], {docs}: Arguments): Promise<void> => {
	console.log([tableOf(trials), ...reasonsIn(trials)].join('\n'));
	if (docs) {
		await writeDocument((text, occasion) => withTrials(text, trials, occasion));
	}

	process.exitCode = isGood(trials) ? 0 : 1;
};

const tellFaults = async (trials: readonly FaultTrial[], {docs}: Arguments): Promise<void> => {
	console.log(faultTable(trials));
	if (docs) {
		await writeDocument((text, occasion) => withFaults(text, trials, occasion));
	}

	process.exitCode = isTold(trials) ? 0 : 1;
};

const writeDocument = async (
	change: (text: string, occasion: Occasion) => string,
): Promise<void> => {
	const {stdout: git} = await execa`git --version`;
	const machine = `${platform()} ${arch()} with Node.js ${process.versions.node} and ${git}`;
	const date = new Date().toISOString().slice(0, 10);
	const file = 'docs/agents.md';
	const text = await readFile(file, 'utf8');
	await writeFile(file, change(text, {date, machine}));
};

const given = readArguments(process.argv.slice(2));
if (given === undefined) {
	console.error(usage);
	process.exitCode = 2;
} else {
	await buildWhenStale();
	const interruption = new AbortController();
	// If the listener were removed after the first signal, a library would end the process at once.
	process.on('SIGINT', () => interruption.abort());
	const {signal} = interruption;
	if (given.faults) {
		const say = ({vendor, fault}: FaultTrial): void => console.error(`${vendor}: ${fault.title}`);
		await tellFaults(await tryFaults(given, signal, say), given);
	} else {
		await tell(await tryAll(given, signal), given);
	}

	if (signal.aborted) {
		process.exitCode = 130;
	}
}
