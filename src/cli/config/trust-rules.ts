import {plainJson} from '../../lib/text/json.ts';
import {printTable} from '../../lib/text/markdown-table.ts';
import {isSame} from '../../lib/values.ts';
import type {FileSettings} from './schema.ts';

/** A setting of a repository's config that needs the person's yes. */
export type AskedSetting = {
	/** Its keys, joined by dots. */
	readonly path: string;
	/** Its value as written in the file. */
	readonly written: unknown;
	/** Its effect, to follow "it". */
	readonly does: string;
};

/**
Separates settings that a repository's config may make from those that need the person's yes.

A setting without effect needs none.

@param written The same settings as written in the file.
@param now The effective settings without that config.
*/
export const separate = (
	{settings, written}: {readonly settings: FileSettings; readonly written: unknown},
	now: FileSettings,
): {readonly free: FileSettings; readonly asked: readonly AskedSetting[]} => {
	const asked: AskedSetting[] = [];
	const isFree = (keys: readonly string[], rule: Rule): boolean => {
		const at = (whole: unknown): unknown => keys.reduce(partOf, whole);
		if (rule === 'free' || !rule.asks(at(settings), at(now))) {
			return true;
		}

		asked.push({path: keys.map(nameText).join('.'), written: at(written), does: rule.does});
		return false;
	};
	const free = Object.entries(settings).flatMap(([key, value]) => {
		const rule = ruleOf(key);
		if (rule !== undefined) {
			return isFree([key], rule) ? [[key, value]] : [];
		}

		const parts = Object.entries(value).filter(([name]) =>
			isFree([key, name], ruleOf(`${key}.${name}`) ?? ruleOf(`${key}.*`) ?? noRule),
		);
		return parts.length === 0 ? [] : [[key, Object.fromEntries(parts)]];
	});
	return {free: Object.fromEntries(free), asked};
};

type Rule =
	| 'free'
	| {
			readonly does: string;
			/** Condition under which a value needs a yes, in words. */
			readonly when: string;
			/** Returns whether a value needs a yes, compared with the effective one. */
			readonly asks: (value: unknown, now: unknown) => boolean;
	  };

const whenOther = (does: string): Rule => ({
	does,
	when: 'if it changes the value',
	asks: (value, now) => !isSame(value, now),
});

/** Returns a rule that allows to lower a limit, or to turn something off, without a yes. */
const whenMore = (does: string): Rule => ({
	does,
	when: 'if it raises it or turns it on',
	asks: (value, now) => Number(value) > Number(now ?? 0),
});

/** @param order Values, the strictest first. */
const whenLooser = (order: readonly unknown[], does: string): Rule => ({
	does,
	when: 'if it loosens it',
	asks: (value, now) => order.indexOf(value) > order.indexOf(now),
});

/** Returns all keys with the values that a repository may not set by itself, as a Markdown table. */
export const trustTable = (): string =>
	printTable([
		['key', 'needs your yes', 'because it'],
		...Object.entries<Rule>(rules).map(([path, rule]) =>
			rule === 'free' ? [`\`${path}\``, 'never', ''] : [`\`${path}\``, rule.when, rule.does],
		),
	]).trimEnd();

const checksOtherwise = whenOther('changes how much type checks read and use');

const calls = whenOther('changes when and how you are called');

/** Rule of answers in the policy: the strictest is to refuse; the default is to ask. */
const unasked: Rule = {
	does: 'asks you less',
	when: 'if it loosens it',
	asks: (value, now) => {
		const order = ['stop', 'ask', 'go'];
		return order.indexOf(String(value)) > order.indexOf(String(now ?? 'ask'));
	},
};

/** A key of the config, with its group if it has one; `*` stands for a chosen name. */
type KeyPath = {
	[Key in keyof FileSettings]-?: PathsBelow<Key, NonNullable<FileSettings[Key]>>;
}[keyof FileSettings];

type PathsBelow<Key extends string, Value> = [Value] extends [Leaf]
	? Key
	: string extends keyof Value
		? `${Key}.*`
		: `${Key}.${keyof Value & string}`;

type Leaf = string | number | boolean | readonly unknown[];

/** Rules for each key of a repository's config: without a yes it may not run, open, weaken or rebind anything. A key without a rule does not compile. */
const rules = {
	'agents.*': whenOther('starts this program as you where something names it'),
	'limits.parallel': whenMore('lets more agents work at a time'),
	'limits.timeout': whenMore('lets agents work longer before you are asked'),
	'limits.files': whenMore('lets a scope hold more files before you are warned'),
	'limits.depth': whenMore('lets agents hand work on more deeply'),
	'limits.memory': whenMore('lets agents use more memory before you are asked'),
	'limits.processes': whenMore('lets agents have more processes before you are asked'),
	'limits.cpu': whenMore('lets agents use more CPU time before you are asked'),
	'limits.disk': whenMore('lets agents use more of the disk before you are asked'),
	'limits.output': whenMore('lets agents print more before you are asked'),
	'limits.checkpoint': whenMore('lets agents go longer without a checkpoint'),
	'limits.checks': 'free',
	'limits.stagger': 'free',
	'limits.retries': whenOther('changes how often and how soon a model in trouble is asked again'),
	'questions.quick': 'free',
	'questions.home': whenOther('makes folders there, and takes answers from files in them'),
	'notify.desktop': calls,
	'notify.bell': calls,
	'notify.terminal': calls,
	'notify.title': calls,
	'notify.kinds': calls,
	'supervision.checkpoint': unasked,
	'supervision.review': unasked,
	'supervision.delegation': unasked,
	'supervision.scope': unasked,
	'supervision.permission': unasked,
	planner: whenOther('starts this agent to plan'),
	check: whenOther('runs these commands on what agents made'),
	'web.approve': whenMore('lets a browser decide everything, merges too'),
	'tests.at': whenOther('changes when the plan’s checks run on agents’ work'),
	'types.files': checksOtherwise,
	'types.read': checksOtherwise,
	'types.memory': checksOtherwise,
	'types.seconds': checksOtherwise,
	docs: whenMore('writes documents into your checkout'),
	merge: 'free',
	trailers: whenOther('writes these lines into your commits'),
	'sandbox.mode': whenLooser(['required', 'auto', 'off'], 'lets agents out of the sandbox'),
	'sandbox.network': {
		does: 'lets agents reach other machines',
		when: 'if it loosens it',
		asks: (value: unknown, now: unknown) =>
			now !== 'open' && value !== 'off' && !isSame(value, now),
	},
	'allow.read': whenOther('lets agents read there'),
	'allow.write': whenOther('lets agents write there'),
	'allow.sockets': whenOther('lets agents connect there'),
	'allow.hosts': whenOther('lets agents connect there'),
	'keys.*': whenOther('puts this action on another key'),
	theme: 'free',
	'colors.*': whenOther('may make text hard to see'),
	mouse: 'free',
} satisfies Record<KeyPath, Rule>;

const noRule = whenOther('has an unknown effect');

const ruleOf = (path: string): Rule | undefined =>
	Object.hasOwn(rules, path) ? rules[path as KeyPath] : undefined;

/** Returns a part of a group; a sandbox that is only a word is its mode. */
const partOf = (group: unknown, name: string): unknown =>
	typeof group === 'string' && name === 'mode'
		? group
		: typeof group === 'object' && group !== null && Object.hasOwn(group, name)
			? Reflect.get(group, name)
			: undefined;

/** Returns a name, quoted if necessary: it may contain any text, including dots. */
const nameText = (name: string): string => (/^[\w-]+$/.test(name) ? name : plainJson(name));
