import {Writable} from 'node:stream';

/*
All writes to a process go through here. A reader may exit, freeze or close its end at any moment, and Node.js exits if a pipe has an error without a listener. None of these is a failure of the write: the exit of the process tells the cause.
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

/** Returns a process's input as a web stream, whose writer gets errors. */
export const webInput = (input: Writable): WritableStream<Uint8Array> =>
	Writable.toWeb(deafened(input));

/** Sends a message to a forked process; drops it if the process is gone. */
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
