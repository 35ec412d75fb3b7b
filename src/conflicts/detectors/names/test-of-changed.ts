import {addedReferences, keptDefinitions} from '../../linking/differences.ts';
import {calledName, meaningOfUse} from '../../linking/meaning.ts';
import type {SymbolDefinition} from '../../source/facts.ts';
import {isTestFile} from '../tests/edited-twice.ts';
import type {Found, NameRule} from './rule.ts';

const most = 5;

/** T2, a note: one side changed the body of a function, the other one added a test that calls it. */
export const testOfChanged: NameRule<'TEST_CONFLICT'> = async (_, {breaker, user}) => {
	const changed = Map.groupBy(keptDefinitions(breaker).filter(hasOtherBody), ({before}) =>
		calledName(before.said),
	);
	const found = addedReferences(user).flatMap((use): readonly Found<'TEST_CONFLICT'>[] => {
		const {name, call, line} = use.said;
		if (call === undefined || !isTestFile(use.file.path)) {
			return [];
		}

		return (changed.get(name) ?? [])
			.filter(({before}) => meaningOfUse(use, before) === 'surely')
			.map(({before, after}) => ({
				rule: 'T2',
				path: use.file.path,
				names: [after.file.path, before.said.name],
				blocking: false,
				confidence: 'low',
				summary: `One side changed what ${name} does, the other one wrote a test that calls it.`,
				evidenceLines: [
					{side: breaker, file: after.file, lines: [after.said.line]},
					{side: user, file: use.file, lines: [line]},
				],
			}));
	});
	return found.slice(0, most);
};

const hasOtherBody = ({before, after}: ReturnType<typeof keptDefinitions>[number]): boolean =>
	['function', 'method'].includes(before.said.kind) &&
	!isTestFile(after.file.path) &&
	before.said.hasBody &&
	after.said.hasBody &&
	contentOf(before.said) !== contentOf(after.said);

/** Returns the content of a definition; in a language with the body elsewhere, the signature is all of it. */
const contentOf = ({body, signature}: SymbolDefinition): string => body?.digest ?? signature;
