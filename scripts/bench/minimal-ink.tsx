import {Box, render, Text, useInput} from 'ink';

/** The least that an Ink program can be: one row on a screen of its own, and a key that leaves. */
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
