import {Failure} from '../../lib/failure.ts';
import {boundaries} from './boundaries/scene.ts';
import {collisions} from './collisions/scene.ts';
import {delegate} from './delegate/scene.ts';
import {failure} from './failure/scene.ts';
import {findings} from './findings/scene.ts';
import {merge} from './merge/scene.ts';
import {parallel} from './parallel/scene.ts';
import {questions} from './questions/scene.ts';
import {recovery} from './recovery/scene.ts';
import {review} from './review/scene.ts';
import type {Scene} from './scene.ts';
import {sequential} from './sequential/scene.ts';
import {stopWork} from './stop-work/scene.ts';

/** All scenes by name; the first one is played where nobody chooses. */
export const scenes: ReadonlyMap<string, Scene> = new Map([
	['merge', merge],
	['questions', questions],
	['collisions', collisions],
	['boundaries', boundaries],
	['recovery', recovery],
	['parallel', parallel],
	['sequential', sequential],
	['findings', findings],
	['delegate', delegate],
	['stop-work', stopWork],
	['failure', failure],
	['review', review],
]);

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
