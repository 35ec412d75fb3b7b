import type {LanguageName} from '../source/language-of.ts';

/** Returns whether a language has the name by itself, so that no import is needed for it. */
export const isBuiltIn = (language: LanguageName, name: string): boolean =>
	names[language]?.includes(name) ?? false;

const script =
	'Array Blob Buffer Error Event EventTarget File FormData Headers Map Node Number Object Promise ReadableStream Request Response Set String Symbol TextDecoder TextEncoder URL URLSearchParams WeakMap WebSocket AbortController AbortSignal clearInterval clearTimeout console crypto describe expect fetch global it jest beforeEach afterEach performance process queueMicrotask setImmediate setInterval setTimeout structuredClone test'.split(
		' ',
	);

const names: {readonly [Language in LanguageName]?: readonly string[]} = {
	typescript: script,
	tsx: script,
	javascript: script,
	python:
		'ascii bytes callable chr dict exec filter float frozenset input int iter list long map max min next object open ord pow print range reduce round set sorted str sum super tuple type unichr unicode zip basestring ConnectionError FileNotFoundError TimeoutError'.split(
			' ',
		),
	go: 'any cap clear close copy delete error len make max min new panic print'.split(' '),
	rust: 'Box Clone Copy Default Err From FromIterator Into IntoIterator Iterator None Ok Option Result Send Some String Sync ToOwned ToString TryFrom TryInto Vec drop'.split(
		' ',
	),
	java: 'Override Deprecated Iterable Record String Object Thread'.split(' '),
};
