import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {withFewDescriptors} from '../../helpers/descriptors.ts';
import {makeRepository} from '../../helpers/repository.ts';

const program = fileURLToPath(new URL('few-descriptors.ts', import.meta.url));

test.each(['2', '11'])(
	'with %s descriptors no git is started, the cause is named, and none is kept',
	left => {
		const why = expect.stringContaining('this process has too many open files');
		const found = withFewDescriptors(program, [makeRepository(), left]);
		expect(found).toEqual({failed: Array.from({length: 8}, () => why), kept: 0});
	},
);
