import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc, {type IProperty} from 'fast-check';

/** An input that a property once failed for, as fast-check finds it again. */
type Kept = {readonly property: string; readonly seed: number; readonly path: string};

const keptFile = join(import.meta.dirname, 'seeds.json');

/** Inputs of one property: few in the check, many in `npm run test:fuzz`, which also keeps what fails. */
const isDeep = process.env.FUZZ_RUNS !== undefined;
const runs = Number(process.env.FUZZ_RUNS ?? 500);

/** The same in each check, so that one that fails tells of the change and not of luck. */
const seed = Number(process.env.FUZZ_SEED ?? 1);

/** Holds a property against what it once failed for, and then against as many inputs as are asked for; `share` of them is enough. */
export const fuzz = <Inputs>(name: string, property: IProperty<Inputs>, share = 1): void => {
	for (const {seed, path} of readKept().filter(kept => kept.property === name)) {
		fc.assert(property, {seed, path});
	}

	const details = fc.check(property, {numRuns: Math.ceil(runs * share), seed});
	if (details.failed) {
		keep({property: name, seed, path: details.counterexamplePath ?? ''});
		throw new Error(fc.defaultReportMessage(details), {cause: details.errorInstance});
	}
};

const readKept = (): readonly Kept[] => JSON.parse(readFileSync(keptFile, 'utf8'));

const keep = (failed: Kept): void => {
	if (isDeep) {
		writeFileSync(keptFile, `${JSON.stringify([...readKept(), failed], undefined, '\t')}\n`);
	}
};
