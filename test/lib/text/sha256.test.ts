import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {sha256} from '../../../src/lib/text/sha256.ts';

test('a digest is that of node:crypto, whatever the text and however long', () => {
	const lengths = Array.from({length: 200}, (_, length) => length);
	const texts = ['/srv/größe/🙂', ...lengths.map(length => 'x'.repeat(length))];
	expect(texts.map(sha256)).toEqual(
		texts.map(text => createHash('sha256').update(text).digest('hex')),
	);
});
