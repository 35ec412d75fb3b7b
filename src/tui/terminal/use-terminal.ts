import {useInput, usePaste, useWindowSize} from 'ink';
import {useLayoutEffect} from 'react';
import {keyNames} from './key-name.ts';
import type {Size} from './size.ts';

/** What comes from the terminal. */
export type FromTerminal =
	/** `at`: when it was pressed, in milliseconds from anywhere; a key without it comes after a pause. */
	| {readonly kind: 'key'; readonly key: string; readonly at?: number}
	| {readonly kind: 'paste'; readonly text: string}
	| {readonly kind: 'resize'; readonly size: Size};

/** Hands on what comes from the terminal, and its size. */
export const useTerminal = (take: (input: FromTerminal) => void): void => {
	const {columns, rows} = useWindowSize();
	useLayoutEffect(() => {
		take({kind: 'resize', size: {columns, rows}});
	}, [take, columns, rows]);
	useInput((input, key) => {
		const at = performance.now();
		for (const name of keyNames(input, key)) {
			take({kind: 'key', key: name, at});
		}
	});
	usePaste(text => take({kind: 'paste', text}));
};
