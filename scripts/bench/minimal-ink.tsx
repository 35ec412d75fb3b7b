import {Box, render, Text, useInput} from 'ink';

/** The minimal Ink program: one row on the alternate screen, and a key to leave. */
const Minimal = ({leave}: {readonly leave: () => void}) => {
	useInput(input => {
		if (input === 'q') {
			leave();
		}
	});
	return (
		<Box>
			<Text>q leave</Text>
		</Box>
	);
};

const instance = render(<Minimal leave={() => instance.unmount()} />, {alternateScreen: true});
