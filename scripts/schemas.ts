import {z} from 'zod';
import {configSchema} from '../src/cli/config/schema.ts';
import {planFileSchema} from '../src/rules/plan/schema.ts';

/** JSON schemas that the package publishes for editors, by path. */
export const schemas = [
	{file: 'schemas/plan.schema.json', title: 'A plan of delegate-tui', schema: planFileSchema},
	{file: 'schemas/config.schema.json', title: 'The config of delegate-tui', schema: configSchema},
] as const;

/** Returns a schema in the form of its file: for the input, before any conversion. */
export const schemaText = ({title, schema}: (typeof schemas)[number]): string => {
	const {$schema, ...rest} = z.toJSONSchema(schema, {io: 'input'});
	return `${JSON.stringify({$schema, title, ...rest}, null, '\t')}\n`;
};
