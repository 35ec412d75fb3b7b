/** How the page of a report looks: light or dark as the reader has it, and with a row of a table below the other on a phone. */
export const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { margin-top: 2rem; font-size: 1.2rem; } h3 { margin-bottom: .3rem; font-size: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0; }
dt { grid-column: 1; opacity: .7; } dd { grid-column: 2; margin: 0; white-space: pre-line; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; min-width: 3.8rem; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884; }
th, td:first-child { white-space: nowrap; } th { opacity: .7; font-weight: 500; }
summary { margin-top: 2rem; font-size: 1.2rem; font-weight: bold; }
code { font: .92em ui-monospace, monospace; }
.row { display: flex; gap: 1rem; align-items: center; margin: .3rem 0; }
.row b { width: 5rem; font-weight: 500; }
.bar { display: flex; flex: 1; height: 1rem; background: #8882; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: 13px; }
.legend i { display: inline-block; width: .8rem; height: .8rem; vertical-align: -.1rem; }
.RUNNING { background: #3b82f6; } .CHECKPOINT { background: #f59e0b; } .COMPLETE { background: #14b8a6; }
.MERGED { background: #22c55e; } .FAILED { background: #ef4444; } .ABORTED { background: #6b7280; }
@media (max-width: 40rem) {
	body { margin: 1rem auto; }
	dl { display: block; } dt { margin-top: .4rem; font-size: 13px; }
	thead { display: none; }
	table, tbody, tr, td { display: block; }
	tr { padding: .4rem 0; border-bottom: 1px solid #8884; }
	td { display: flex; gap: 1rem; border: 0; padding: 0; white-space: normal; }
	td:empty { display: none; }
	td::before { content: attr(data-name); flex: 0 0 7rem; opacity: .7; }
}
`;
