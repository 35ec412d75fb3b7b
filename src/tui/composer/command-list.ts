/** Reads commands, one a line; a line that begins with a space goes on with the command above it. */
export const splitCommands = (text: string): readonly string[] => {
	const commands: string[] = [];
	for (const line of text.split('\n')) {
		const last = commands.at(-1);
		if (/^\s/.test(line) && last !== undefined) {
			commands[commands.length - 1] = `${last}\n${line.replace(/^ {1,2}/, '')}`;
		} else if (line.trim() !== '') {
			commands.push(line);
		}
	}

	return commands;
};

/** Writes commands as `splitCommands` reads them. */
export const joinCommands = (commands: readonly string[]): string =>
	commands.map(command => command.replaceAll('\n', '\n  ')).join('\n');
