/** What a turn's script looks like, with every member once; a test plays it. */
export const turnHelp = `

Script of agent.turn (all but message may be left out; expect fails the command where it is not met):
${exampleScript()
	.split("\n")
	.map((line) => `  ${line}`.trimEnd())
	.join("\n")}`;

/** The script as YAML. */
export function exampleScript(): string {
	return `message: Tidy up.                # what the person says
thread: T-1                      # the active one, else a new one
session: true                    # whether session.start comes first
start: { expect: { messages: [] } }
# messages: all that plugins add, in order; [be kind] is short for [{ content: be kind }]
tools:
  - tool: Bash                   # runs a plugin's tool of that name, where neither result nor error is given
    input: { cmd: ls }
    result: a.txt                # in the place of the tool
    expect: { decision: allow, source: script, status: done, output: a.txt, input: { cmd: ls } }
  - tool: Bash
    error: no such folder        # in the place of a tool that fails
    expect: { status: error, error: no such folder }
# decision: allow, modify, reject-and-continue, synthesize, error; gate: the plugin that decided
# source: plugin, script, gate, nobody; status: done, error, cancelled
reply: Done.                     # what the agent says at the end
end: { status: done, expect: { status: done, continue: false } }
# status: done, error, interrupted, cancelled; after a gate's error it is error, and nothing more of its round is played
# continue: the user message that a plugin goes on with, or false; plugin: which one; error: the gate's message
rounds: []                       # one for each time that a plugin goes on, with start, tools, reply and end as above
# rounds: [{ tools: [{ tool: Bash, result: ok }], reply: Better., end: { expect: { continue: false } } }]`;
}
