import {Text} from 'ink';
import {memo} from 'react';
import {sanitize} from '../../lib/text/sanitize.ts';
import type {Row} from '../rows/row.ts';
import {useTheme} from '../theme.ts';

export type LineProps = {readonly row: Row};

/**
One row of the screen, cut at the right edge.

Text of an agent, a path or a branch reaches the terminal by no other way than this, which makes it harmless.
*/
export const Line = memo(({row}: LineProps) => {
	const theme = useTheme();
	return (
		<Text wrap="truncate">
			{row.length === 0
				? ' '
				: row.map(({text, tone}, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
						<Text key={index} {...theme[tone]}>
							{sanitize(text)}
						</Text>
					))}
		</Text>
	);
});
