import {describe, expect, it} from 'vitest';
import {failureLocations} from '../../../src/conflicts/checks/failure-locations.ts';

const tree = [
	'src/cart.js',
	'src/cart.ts',
	'src/lib.rs',
	'src/main/java/shop/Cart.java',
	'src/test/java/shop/CartTest.java',
	'test/cart.test.js',
	'test/cart.test.ts',
	'tests/test_cart.py',
	'shop/cart.py',
	'geo/shapes_test.go',
	'geo/shapes.go',
	'spec/cart_spec.rb',
	'a/same_test.go',
	'b/same_test.go',
	'Shop/CartTests.cs',
];

const first = (output: string) => {
	const [location] = failureLocations(output, tree);
	return location === undefined ? undefined : `${location.path}:${location.line}`;
};

describe('the first location that an output names', () => {
	it.each([
		[
			'node --test',
			'test at test/cart.test.js:4:1\n✖ adds (0.9ms)\n  AssertionError [ERR_ASSERTION]: 3 == 4\n      at TestContext.<anonymous> (file:///tmp/tree/test/cart.test.js:6:9)\n      at Test.run (node:internal/test_runner/test:1054:25)',
			'test/cart.test.js:4',
		],
		[
			'node --test, as TAP',
			"not ok 1 - adds\n  ---\n  location: '/tmp/tree/test/cart.test.js:4:1'\n  error: '3 == 4'",
			'test/cart.test.js:4',
		],
		[
			'vitest',
			' FAIL  test/cart.test.ts > adds\nAssertionError: expected 3 to be 4\n \x1b[36m❯\x1b[39m test/cart.test.ts:5:16\n      3|',
			'test/cart.test.ts:5',
		],
		[
			'jest',
			'FAIL test/cart.test.js\n  ● adds\n    expect(received).toBe(expected)\n      at add (src/cart.js:2:3)\n      at Object.<anonymous> (test/cart.test.js:5:18)',
			'test/cart.test.js:5',
		],
		[
			'mocha',
			'  1) adds:\n     AssertionError: 3 == 4\n      at Context.<anonymous> (test/cart.test.js:7:5)\n      at process.processImmediate (node:internal/timers:483:21)',
			'test/cart.test.js:7',
		],
		[
			'pytest',
			'    def test_adds():\n>       assert add(1, 2) == 4\nE       assert 3 == 4\n\ntests/test_cart.py:5: AssertionError\nFAILED tests/test_cart.py::test_adds - assert 3 == 4',
			'tests/test_cart.py:5',
		],
		[
			'unittest',
			'Traceback (most recent call last):\n  File "/tmp/tree/tests/test_cart.py", line 9, in test_adds\n  File "/usr/lib/python3.11/unittest/case.py", line 873, in assertEqual',
			'tests/test_cart.py:9',
		],
		[
			'go test',
			'--- FAIL: TestArea (0.00s)\n    shapes_test.go:12: got 3, want 4\nFAIL\nFAIL\texample.org/shop/geo\t0.002s',
			'geo/shapes_test.go:12',
		],
		['go build', '# example.org/shop/geo\ngeo/shapes.go:7:9: undefined: Area', 'geo/shapes.go:7'],
		[
			'cargo test',
			"thread 'tests::adds' panicked at src/lib.rs:14:9:\nassertion `left == right` failed",
			'src/lib.rs:14',
		],
		['rustc', 'error[E0061]: this function takes 1 argument\n  --> src/lib.rs:3:5', 'src/lib.rs:3'],
		[
			'junit',
			'CartTest > adds() FAILED\n    org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n        at shop.CartTest.adds(CartTest.java:11)',
			'src/test/java/shop/CartTest.java:11',
		],
		['rspec', 'rspec ./spec/cart_spec.rb:4 # Cart adds', 'spec/cart_spec.rb:4'],
		[
			'dotnet test',
			'  Stack Trace:\n     at Shop.CartTests.Adds() in /tmp/tree/Shop/CartTests.cs:line 11',
			'Shop/CartTests.cs:11',
		],
		['tsc', 'src/cart.ts(3,5): error TS2554: Expected 2 arguments, but got 1.', 'src/cart.ts:3'],
	])('is read from %s', (_, output, location) => {
		expect(first(output)).toBe(location);
	});
});

describe('what is no location', () => {
	it.each([
		['a file that the tree has not', 'at run (node_modules/mocha/lib/runner.js:3:1)'],
		['a name that several files have', '    same_test.go:12: got 3, want 4'],
		['a test that passed', '✓ test/cart.test.ts:5 adds'],
		['the command', '$ node test/cart.test.js:5'],
		['a time or an address', 'listening at 127.0.0.1:8080 since 12:30:05'],
		['nothing', ''],
	])('is %s', (_, output) => {
		expect(first(output)).toBeUndefined();
	});

	it('keeps the words of the output, without what could move a cursor', () => {
		const [location] = failureLocations('\x1b[31mtest/cart.test.js:5:1 \x1b[2Jboom\x07', tree);
		expect(location?.text).toBe('test/cart.test.js:5:1 ␛[2Jboom␇');
	});

	it('names few locations, each once', () => {
		const lines = Array.from({length: 50}, (_, line) => `at (test/cart.test.js:${line % 20}:1)`);
		expect(failureLocations(lines.join('\n'), tree)).toHaveLength(5);
	});

	it('reads a megabyte of dots in no time', () => {
		expect(failureLocations(`${'a.'.repeat(2 ** 19)}\n${'./'.repeat(1900)}`, tree)).toEqual([]);
	});
});
