import {Writable} from 'node:stream';

/*
All that we write to a process goes through here. A reader may end, freeze or close its end at any moment, and Node.js ends a program whose pipe has an error that nobody hears. None of these is a failure of the writing: how the process ends says what went wrong.
*/

/** Writes to a process's input, unless that is closed. */
export const writeTo = (input: Writable, text: string): void => {
	if (deafened(input).writable) {
		input.write(text);
	}
};

/** Closes a process's input, after a last text. */
export const endInput = (input: Writable, text: Uint8Array | string = ''): void => {
	if (deafened(input).writable) {
		input.end(text);
	}
};

/** Returns a process's input as a stream of the web, whose writer is told of errors. */
export const webInput = (input: Writable): WritableStream<Uint8Array> =>
	Writable.toWeb(deafened(input));

/** Sends to a forked process; what can't be sent any more is dropped. */
export const sendTo = (
	child: {readonly send: (message: object, sent: () => void) => boolean},
	message: object,
): void => {
	child.send(message, () => {});
};

const deaf = new WeakSet<Writable>();

const deafened = (input: Writable): Writable => {
	if (!deaf.has(input)) {
		deaf.add(input);
		input.on('error', () => {});
	}

	return input;
};
