import {z} from 'zod';
import {configSchema} from '../src/cli/config/schema.ts';
import {planFileSchema} from '../src/rules/plan/schema.ts';

/** The JSON schemas that the package publishes for editors, each by its path in it. */
export const schemas = [
	{file: 'schemas/plan.schema.json', title: 'A plan of delegate-tui', schema: planFileSchema},
	{file: 'schemas/config.schema.json', title: 'The config of delegate-tui', schema: configSchema},
] as const;

/** Returns a schema as its file holds it: what may be written, before anything is read out of it. */
export const schemaText = ({title, schema}: (typeof schemas)[number]): string => {
	const {$schema, ...rest} = z.toJSONSchema(schema, {io: 'input'});
	return `${JSON.stringify({$schema, title, ...rest}, null, '\t')}\n`;
};
