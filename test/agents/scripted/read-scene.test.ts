import {describe, expect, it} from 'vitest';
import {readScene} from '../../../src/agents/scripted/read-scene.ts';
import {sceneVerbs} from '../../../src/agents/scripted/scene.ts';

const problemsOf = (text: string): readonly string[] => {
	const read = readScene(text, 'scene.yaml');
	return 'problems' in read
		? read.problems.map(({file, line, column, message}) => `${file}:${line}:${column} ${message}`)
		: [];
};

describe('a scene', () => {
	it('is a list of steps, each with one verb', () => {
		const text = 'on-refusal: cancel\nsteps:\n  - say: Hello\n  - crash:\n  - wait: 0.5\n';
		expect(readScene(text, 'scene.yaml')).toEqual({
			scene: {
				onRefusal: 'cancel',
				steps: [
					{verb: 'say', does: 'Hello'},
					{verb: 'crash', does: {code: 1, complaint: 'the scene says so'}},
					{verb: 'wait', does: 0.5},
				],
			},
		});
	});

	it.each([
		[
			'steps:\n  - say: a\n  - sing: b\n',
			`scene.yaml:3:11 A step is one of ${Object.keys(sceneVerbs).join(', ')}.`,
		],
		[
			'steps:\n  - {say: a, think: b}\n',
			`scene.yaml:2:5 A step is one of ${Object.keys(sceneVerbs).join(', ')}.`,
		],
	])('with %j says which verbs there are', (text, problem) => {
		expect(problemsOf(text)).toEqual([problem]);
	});

	it.each([
		['steps:\n  - write: {path: a}\n', 'scene.yaml:2:12'],
		['steps:\n  - write: {path: a, text: b, mode: c}\n', 'scene.yaml:2:12'],
		['steps:\n  - ask: {question: a, type: guess}\n', 'scene.yaml:2:30'],
		['steps:\n  - checkpoint: {progress: 101}\n', 'scene.yaml:2:28'],
		['steps:\n  - wait: soon\n', 'scene.yaml:2:11'],
		['steps: []\n', 'scene.yaml:1:8'],
		['on-refusal: cry\nsteps: [{say: a}]\n', 'scene.yaml:1:13'],
		['step: [{say: a}]\n', 'scene.yaml:1:1'],
		['', 'scene.yaml:1:1'],
		['steps: [\n', 'scene.yaml:2:1'],
	])('with %j is refused at %s', (text, place) => {
		expect(problemsOf(text)[0]).toContain(`${place} `);
	});

	it('tells everything that is wrong at once', () => {
		expect(problemsOf('steps:\n  - wait: -1\n  - say: 7\n')).toHaveLength(2);
	});
});
