import {cargo} from './command/cargo.ts';
import {commandOracle} from './command/command.ts';
import {go} from './command/go.ts';
import {javac} from './command/javac.ts';
import {pyright} from './command/pyright.ts';
import type {OraclePlugin} from './oracle.ts';
import {typescript} from './typescript/typescript.ts';

/** All checkers that we know; those that are installed are asked. */
export const oraclePlugins: readonly OraclePlugin[] = [
	typescript,
	...[pyright, go, cargo, javac].map(commandOracle),
];
