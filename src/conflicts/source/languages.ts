import type {GrammarName} from './language-of.ts';
import {c} from './languages/c.ts';
import {csharp} from './languages/csharp.ts';
import {go} from './languages/go.ts';
import {java} from './languages/java.ts';
import {php} from './languages/php.ts';
import {python} from './languages/python.ts';
import {ruby} from './languages/ruby.ts';
import {rust} from './languages/rust.ts';
import {typescript} from './languages/typescript.ts';
import type {Language} from './walk.ts';

/** How each grammar's trees are read. */
export const languages: Readonly<Record<GrammarName, Language>> = {
	'c-sharp': csharp,
	cpp: c,
	go,
	java,
	javascript: typescript,
	php,
	python,
	ruby,
	rust,
	tsx: typescript,
	typescript,
};
