import {cargo, go, javac, pyright} from './command/checkers.ts';
import {commandOracle} from './command/command.ts';
import type {OraclePlugin} from './oracle.ts';
import {typescript} from './typescript.ts';

/** All checkers that we know; those that are installed are asked. */
export const oraclePlugins: readonly OraclePlugin[] = [
	typescript,
	...[pyright, go, cargo, javac].map(commandOracle),
];
