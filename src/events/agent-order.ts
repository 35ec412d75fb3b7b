/**
What a person has one agent do, whatever it is at: no item of the inbox asks for it.

- `stop`: it is out of the session; its work is kept.
*/
export type AgentOrder = {readonly verb: 'stop'};
