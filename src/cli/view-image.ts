import {withoutLocations} from '../git/process/with-terminal.ts';
import {Failure} from '../lib/failure.ts';
import {runInTerminal} from '../lib/process/lend-terminal.ts';
import {visitorEnvironment} from '../supervisor/requests/visitor.ts';

/** Script that shows an image with a terminal viewer, which queries the terminal for its best protocol; otherwise with the desktop's default program. */
const viewing = `
for viewer in chafa timg viu; do
	if command -v "$viewer" >/dev/null; then
		"$viewer" "$1"
		if [ -t 0 ]; then
			printf 'Enter leads back. '
			read -r _
		fi
		exit 0
	fi
done
case $(uname) in
	Darwin) exec open "$1" ;;
esac
if [ -n "$DISPLAY$WAYLAND_DISPLAY" ]; then
	exec xdg-open "$1"
fi
exit 127`;

/**
Shows an image in a program that gets the terminal meanwhile; returns when it has ended, or a window may be open.

@param file Path with a name that the caller chose, since a desktop chooses the program by it.

@throws `Failure` of kind `missing` if there is no such program.
*/
export const viewImage = async (
	file: string,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
	const env = withoutLocations(visitorEnvironment(environment, 'an image that agents wrote'));
	const {exitCode} = await runInTerminal(['/bin/sh', '-c', viewing, 'sh', file], {env});
	if (exitCode === 127) {
		throw new Failure('missing', 'No program that shows images was found.', {
			hint: 'install chafa, timg or viu, which draw them in the terminal',
		});
	}
};
