import {agentVendors, streamVendors} from '../../events/vendors.ts';
import {enumerated} from '../../lib/text/words.ts';

/** A config with all keys; a test compares it with the schema. */
const example = `agents:                      # profiles that plans can name, besides the built-in ones
  claude: {extends: claude, model: opus}
  mine:
    protocol: acp            # the Agent Client Protocol; or text
    command: [my-agent, --acp]
    tools: http              # our tools over HTTP, for an agent that starts no MCP servers itself
    env: {MY_VARIABLE: small}  # added to its environment, never written to a journal
  careful:
    extends: codex           # ${enumerated(agentVendors, 'or')}, or the first four with -print
    command: [npx, codex-acp] # how it is started here
    model: gpt-5.5           # by the agent’s own name for it
    trust: project           # it may load and run what the project keeps for it
    env: {NO_COLOR: "1"}
  plain:
    protocol: text
    command: [my-agent, --print]
    reply: stdin             # its input stays open for replies
  wrapped:
    protocol: text
    command: [my-wrapper-of-claude]
    stream: claude           # it prints the JSON stream of ${enumerated(streamVendors, 'or')}
    model: opus              # only with stream, as trust
limits:
  parallel: 3                # agents at a time, at most 3
  timeout: 1h                # how long one may work before you are asked
  files: 20                  # files that one may change before you are asked; a wider scope is warned of
  depth: 3                   # how deep agents may hand work on: one to a second, that to a third
  memory: 8192               # MiB that the processes of one may use before you are asked; all of the machine’s if unset
  processes: 2000            # how many processes one may have before you are asked
  cpu: 2h                    # how long the processes of one may compute, all cores added up; no limit if unset
  disk: 20480                # MiB that one may have on the disk: worktree, home, temporary files; no limit if unset
  output: 1024               # MiB that one may print in a turn
  checkpoint: 30min          # how long one may go without a checkpoint; then one is taken
  checks: 2                  # how many parts of a failed result are checked at a time; by cores if unset
  stagger: 1s                # the least time between the starts of two agents; a short random one if unset
  retries: [15s, 1min, 5min, 15min]  # pauses before retries when its model has trouble; []: no retries, not after a limit either
questions:
  quick: 5min                # how long an agent waits for a quick answer, two fifths of it for yes
                             # or no and short options, seven for several at once; 0: not at all
  home: ~/.claude            # the folder of question and answer files
notify:
  desktop: true              # the system’s notifications, whether a screen is open or not
  bell: true                 # the terminal’s bell, while a screen is open
  terminal: true             # the terminal’s own notifications, where it has some
  title: true                # the window’s title says how much waits
  kinds: [question, blocker, failure, approval, ended] # what for; everything if unset
supervision: {checkpoint: ask, review: ask, delegation: ask, scope: ask, permission: ask}  # see "help policy"
planner: claude              # the agent that proposes plans: delegate-tui plan TASK
check: [npx tsc --noEmit]    # commands that check types in this project, for plans that name none
web:
  approve: false             # true: the page of "delegate-tui web" can decide everything, not only questions
types:                       # how much a type checker may read and use for one comparison; beyond that it says so, and you can allow more
  files: 3000                # source files: those that were changed, those that import them, and what these import
  read: 32                   # MiB of them
  memory: 1024               # MiB
  seconds: 120
tests: {at: claim}           # when to run the plan’s verify on an agent’s work: claim, when it reports on its tests; checkpoint, at each and at its end; never
docs: true                   # keep three documents in your checkout up to date
merge: squash                # one commit for each merge; per-agent: one for each agent, or for those whose conflict you decided; a plan may say otherwise
trailers: ['Merged-by: delegate-tui']  # last lines of commit messages; []: none
sandbox:                     # "sandbox: required" sets the mode alone
  mode: auto                 # auto, off, or required: nothing starts where files can’t be protected
  network: open              # off: agents reach no other machine; {hosts: [api.example.org]}: only these
allow: {read: [~/.npmrc], write: [~/.cache/models], sockets: [/run/docker.sock]} # reachable despite the sandbox; also hosts
keys: {look: w}              # other keys for actions, by name; see "help keys"
theme: auto                  # auto, dark, light, or contrast: nothing faint
colors: {added: cyan, comment: '#8a8a8a'} # other colours by what text means, such as removed, keyword or warn; a name or #rrggbb
mouse: true                  # false: leave the wheel and clicks to the terminal; otherwise, hold Shift to select text`;

export const configText = `delegate-tui reads its config from two files; the second overrides the first, key by key:

  config.yaml in your config folder: ~/.config/delegate-tui (macOS: ~/Library/Preferences/delegate-tui)
  .delegate-tui.yaml in the repository

Settings by which the repository’s file would start, open, weaken or rebind something need your yes: delegate-tui trust
Every key is optional; a wrong key or value is an error that names its line.

${example}`;

/** The example alone. */
export const configExample = example;
