import type {GrammarName} from './language-of.ts';
import {go} from './languages/go.ts';
import {java} from './languages/java.ts';
import {python} from './languages/python.ts';
import {rust} from './languages/rust.ts';
import {typescript} from './languages/typescript.ts';
import type {Language} from './walk.ts';

/** How each grammar's trees are read. */
export const languages: Readonly<Record<GrammarName, Language>> = {
	go,
	java,
	javascript: typescript,
	python,
	rust,
	tsx: typescript,
	typescript,
};
