import {Alert, ThemeProvider as UiThemeProvider} from '@inkjs/ui';
import {Box} from 'ink';
import {Footer} from './parts/footer.tsx';
import {HintLine} from './parts/hint-line.tsx';
import {NoticeLine} from './parts/notice-line.tsx';
import {Rows} from './parts/rows.tsx';
import {StatusLine} from './parts/status-line.tsx';
import {Writing} from './parts/writing.tsx';
import {row} from './rows/row.ts';
import {isTooSmall, type Size, smallest} from './size.ts';
import {type Theme, ThemeProvider} from './theme.ts';
import {uiThemeFor} from './ui-theme.ts';
import type {Context} from './view/view.ts';
import {Board} from './views/board.tsx';
import {Inbox} from './views/inbox.tsx';
import {ItemView} from './views/item.tsx';
import {frameRows} from './views/item-layout.ts';
import {Scrolled} from './views/scrolled.tsx';

export type FrameProps = {readonly context: Context; readonly theme: Theme};

/** One frame, exactly as large as the screen: a taller one would make the terminal scroll. */
export const Frame = ({context, theme}: FrameProps) => {
	const {columns, rows} = context.view.size;
	return (
		<ThemeProvider value={theme}>
			<UiThemeProvider theme={uiThemeFor(theme)}>
				{/* A window that is made narrower is drawn once before its size is known here: no row may wrap then. */}
				<Box width="100%" height={rows} overflow="hidden">
					<Box
						flexDirection="column"
						flexShrink={0}
						width={columns}
						height={rows}
						overflow="hidden"
					>
						{isTooSmall({columns, rows}) ? (
							<TooSmall columns={columns} rows={rows} />
						) : (
							<Whole context={context} />
						)}
					</Box>
				</Box>
			</UiThemeProvider>
		</ThemeProvider>
	);
};

const TooSmall = ({columns, rows}: Size) => (
	<Alert variant="warning" title="This window is too small.">
		{`It has ${columns}×${rows}; at least ${smallest.columns}×${smallest.rows} is needed. The session goes on; q leaves.`}
	</Alert>
);

const Whole = ({context}: {readonly context: Context}) => {
	const {view, model} = context;
	const height = view.size.rows - frameRows(context);
	const asks = askingRows(context);
	return (
		<>
			<StatusLine model={model} columns={view.size.columns} />
			<Place context={context} height={height - asks} />
			{asks > 0 && <Asking context={context} height={asks} />}
			<NoticeLine context={context} />
			<HintLine context={context} />
			<Footer context={context} />
		</>
	);
};

const Place = ({context, height}: {readonly context: Context; readonly height: number}) => {
	const {place} = context.view;
	switch (place.at) {
		case 'board':
			return <Board context={context} height={height} />;
		case 'inbox':
			return <Inbox context={context} height={height} />;
		case 'item':
			return <ItemView context={context} place={place} height={height} />;
		default:
			return <Scrolled context={context} height={height} />;
	}
};

/** An item has a place for what the person is asked or writes; elsewhere it is taken from the view. */
const askingRows = ({view}: Context): number =>
	view.place.at === 'item' || view.dialog.kind === 'none'
		? 0
		: view.dialog.kind === 'confirm'
			? 2
			: 4;

const Asking = ({context, height}: {readonly context: Context; readonly height: number}) => {
	const {dialog, size} = context.view;
	switch (dialog.kind) {
		case 'confirm':
			return (
				<Rows rows={[row(dialog.question, 'warn'), row('y yes   n no', 'key')]} height={height} />
			);
		case 'none':
			return null;
		default:
			return (
				<Writing
					label="What the new agent is to do"
					draft={dialog.draft}
					columns={size.columns}
					height={height}
				/>
			);
	}
};
