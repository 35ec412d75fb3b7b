import stringWidth from 'string-width';
import {expect} from 'vitest';
import type {Size} from '../../src/tui/terminal/full-screen.ts';

/** Fails unless a frame is exactly as large as the screen. */
export const expectToFit = (frame: string, {columns, rows}: Size, name = 'it'): void => {
	const shown = frame.split('\n');
	const tooWide = shown.filter(row => stringWidth(row) > columns);
	expect({name, rows: shown.length, tooWide}).toEqual({name, rows, tooWide: []});
};

/** Fails unless a frame looks as it did when a person last looked at it, and fits. */
export const expectAsBefore = async (name: string, frame: string, size: Size): Promise<void> => {
	expectToFit(frame, size, name);
	const file = `frames/${name}-${size.columns}x${size.rows}.txt`;
	await expect(`${frame}\n`).toMatchFileSnapshot(file);
};
