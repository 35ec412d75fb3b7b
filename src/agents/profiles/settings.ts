import {z} from 'zod';
import {Failure} from '../../lib/failure.ts';

/** Settings as a vendor’s agent keeps them, as plain data. */
export type SettingsTree = {readonly [name: string]: unknown};

const tree = z.record(z.string(), z.unknown());

/**
Returns settings as JSON, laid over those that an environment variable holds already.

A person may set the same variable, for a provider of their own, say; only what keeps an agent to its place is overruled.

@throws `Failure` of kind `usage` when the variable holds anything but a JSON object.
*/
export const laidOver = (
	environment: Readonly<Record<string, string | undefined>>,
	name: string,
	settings: SettingsTree,
): string => JSON.stringify(lay(settingsIn(environment, name), settings));

const settingsIn = (
	environment: Readonly<Record<string, string | undefined>>,
	name: string,
): SettingsTree => {
	const text = environment[name];
	if (text === undefined || text === '') {
		return {};
	}

	try {
		return tree.parse(JSON.parse(text));
	} catch (cause) {
		throw new Failure('usage', `The environment variable ${name} holds no JSON object.`, {
			hint: `correct ${name}, or unset it`,
			cause,
		});
	}
};

const lay = (below: SettingsTree, above: SettingsTree): SettingsTree => ({
	...below,
	...Object.fromEntries(
		Object.entries(above).map(([name, value]) => {
			const under = tree.safeParse(below[name]);
			const over = tree.safeParse(value);
			return [name, under.success && over.success ? lay(under.data, over.data) : value];
		}),
	),
});

/** Returns the variables for which nothing is set yet: what a person has set for comfort is theirs. */
export const unlessSet = (
	environment: Readonly<Record<string, string | undefined>>,
	variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(variables).filter(([name]) => environment[name] === undefined));
