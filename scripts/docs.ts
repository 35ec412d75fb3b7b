import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {trustTable} from '../src/cli/config/trust-rules.ts';
import {configExample} from '../src/cli/topics/config.ts';
import {planText} from '../src/cli/topics/plan.ts';
import {policyTable} from '../src/cli/topics/policy.ts';
import {printTable} from '../src/lib/text/markdown-table.ts';
import {signalsTable} from '../src/signals/instructions.ts';
import {actions, keysTable} from '../src/tui/keys.ts';
import {withPart} from './document-part.ts';
import {schemas, schemaText} from './schemas.ts';

const inYaml = (text: string): string => `\`\`\`yaml\n${text}\n\`\`\``;

/** Generated parts of documents, by the name in the comments around them: `<!-- keys -->`. */
export const parts = [
	{file: 'docs/keys.md', name: 'keys', text: () => printTable(keysTable(actions))},
	{file: 'docs/signals.md', name: 'signals', text: () => signalsTable()},
	{file: 'docs/plan.md', name: 'policy', text: () => policyTable()},
	{file: 'docs/plan.md', name: 'plan', text: () => inYaml(planText)},
	{file: 'docs/config.md', name: 'config', text: () => inYaml(configExample)},
	{file: 'docs/config.md', name: 'trust', text: () => trustTable()},
] as const;

/** Returns the text of a document with its current part, so that its source is in one place only; throws like `withPart`. */
export const withPartOfToday = (document: string, part: (typeof parts)[number]): string =>
	withPart(document, part, part.text());

if (import.meta.main) {
	for (const part of parts) {
		await writeFile(part.file, withPartOfToday(await readFile(part.file, 'utf8'), part));
	}

	for (const schema of schemas) {
		await mkdir(dirname(schema.file), {recursive: true});
		await writeFile(schema.file, schemaText(schema));
	}
}
