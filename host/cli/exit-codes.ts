/** The part of the help that scripts are written by. */
export const exitCodesHelp = `
Exit codes:
  0    ok
  1    unexpected: brood itself failed, or stdout takes no more; or types --check found something to write;
       or doctor found a problem that no other code names; or a test failed: brood test exits as bun test does
  2    usage: a mistake in the arguments, a path that is no plugin, no such plugin, setting, tool, command, webhook or
       event, or input that does not fit; something is in the way of new, or there is no test for brood test
  3    a settings file, or the file of what is on and off, cannot be read or written; or
       validate found what is wrong in plugins that load; for doctor also the state that is kept
  4    a plugin failed to load: any for list, validate, doctor and bench, the one it is about for info, one named by -p for call, run, emit and webhook
  5    a plugin answered with an error or not as it must, or a gate stopped the call, nobody could answer a dialog,
       the command is disabled, or the plugin exited meanwhile
  6    timeout: no answer within --timeout, or within the 30 s that the handler of a webhook has
  7    incompatible: each plugin that failed speaks another protocol; or this Bun is too old
  8    budget exceeded: a plugin takes longer to start than --budget of bench allows
  127  there is no Bun that brood could run under
  130  interrupted by Ctrl-C (SIGINT); 129 by SIGHUP, 143 by SIGTERM`;
