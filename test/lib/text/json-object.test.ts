import {expect, test} from 'vitest';
import {readJsonObject} from '../../../src/lib/text/json.ts';

test('an object is read, and nothing else is one', () => {
	expect(readJsonObject('{"a": [1]}')).toEqual({a: [1]});
	for (const text of ['', '{', 'null', '[1]', '"a"', '1']) {
		expect(readJsonObject(text)).toBeUndefined();
	}
});

test('a name that means something to the language is a field like any other', () => {
	const read = readJsonObject('{"__proto__": {"a": 1}}');
	expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
	expect(Object.keys(read ?? {})).toEqual(['__proto__']);
});
