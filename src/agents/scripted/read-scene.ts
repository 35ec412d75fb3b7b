import {z} from 'zod';
import {type DocumentPath, type Problem, readYaml} from '../../lib/text/yaml-document.ts';
import {defined} from '../../lib/values.ts';
import {onRefusal, type Scene, type SceneStep, type SceneVerb, sceneVerbs} from './scene.ts';

/** A scene, or the problems of its file with line and column. */
export type ReadScene = {readonly scene: Scene} | {readonly problems: readonly Problem[]};

type Finding = {readonly path: DocumentPath; readonly message: string};

/** Parses a scene in YAML: `steps`, each a map with one verb, `on-refusal`, and `when`, steps for prompts with certain words. */
export const readScene = (text: string, file: string): ReadScene => {
	const read = readYaml(text, file);
	if ('problems' in read) {
		return read;
	}

	const {value, positionOf} = read.document;
	const findings: Finding[] = [];
	const frame = check(frameSchema, value, [], findings);
	const steps = readSteps(frame?.steps ?? [], ['steps'], findings);
	const interludes = frame?.when?.map(({says, steps}, index) => ({
		says,
		steps: readSteps(steps, ['when', index, 'steps'], findings),
	}));
	return frame === undefined || findings.length > 0
		? {
				problems: findings.map(({path, message}) => ({
					level: 'error' as const,
					message,
					...positionOf(path),
				})),
			}
		: {scene: defined({onRefusal: frame['on-refusal'], steps, interludes})};
};

const steps = z.array(z.record(z.string(), z.unknown())).min(1);

const frameSchema = z.strictObject({
	'on-refusal': onRefusal,
	steps,
	when: z.array(z.strictObject({says: z.string().min(1), steps})).exactOptional(),
});

const readSteps = (
	steps: readonly Readonly<Record<string, unknown>>[],
	path: DocumentPath,
	findings: Finding[],
): readonly SceneStep[] =>
	steps.flatMap((step, index) => readStep(step, [...path, index], findings));

const readStep = (
	step: Readonly<Record<string, unknown>>,
	path: DocumentPath,
	findings: Finding[],
): readonly SceneStep[] => {
	const names = Object.keys(step);
	const [name = ''] = names;
	if (names.length !== 1 || !isVerb(name)) {
		const message = `A step is one of ${Object.keys(sceneVerbs).join(', ')}.`;
		findings.push({path: [...path, ...(names.length === 1 ? [name] : [])], message});
		return [];
	}

	return toStep(name, step[name] ?? {}, [...path, name], findings);
};

const isVerb = (name: string): name is SceneVerb => Object.hasOwn(sceneVerbs, name);

/** Pairs each verb with its own schema, since the compiler can't see that they belong together. */
const toStep = <V extends SceneVerb>(
	verb: V,
	value: unknown,
	path: DocumentPath,
	findings: Finding[],
): readonly SceneStep[] => {
	const does = check<unknown>(sceneVerbs[verb], value, path, findings);
	return does === undefined ? [] : [{verb, does} as SceneStep];
};

const check = <T>(
	schema: z.ZodType<T>,
	value: unknown,
	path: DocumentPath,
	findings: Finding[],
): T | undefined => {
	const checked = schema.safeParse(value);
	if (checked.success) {
		return checked.data;
	}

	for (const issue of checked.error.issues) {
		findings.push({path: [...path, ...issue.path], message: `${issue.message}.`});
	}

	return undefined;
};
