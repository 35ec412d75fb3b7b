import {Failure} from '../../lib/failure.ts';
import {merge} from './merge/scene.ts';
import type {Scene} from './scene.ts';

const scenes: ReadonlyMap<string, Scene> = new Map([['merge', merge]]);

/** Names and summaries of all scenes, for the help. */
export const sceneList = [...scenes].map(([name, {summary}]) => `${name}: ${summary}`).join('; ');

/**
Returns the scene with that name.

@throws `Failure` of kind `usage` that lists the scenes.
*/
export const requireScene = (name: string): Scene => {
	const scene = scenes.get(name);
	if (!scene) {
		throw new Failure('usage', `There is no scene "${name}".`, {hint: `scenes: ${sceneList}`});
	}

	return scene;
};
