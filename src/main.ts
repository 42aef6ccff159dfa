import { stderr } from 'node:process';
import { runCli } from './cli/program.ts';

// Node would print every property of an error, and libraries put what they were given into some: an address with
// its password, for example (contract C33). The stack begins with the message.
process.on('uncaughtException', (error) => {
  stderr.write(`error: ${error instanceof Error ? error.stack : 'unknown'}\n`);
  process.exit(1);
});

process.exitCode = await runCli(process.argv.slice(2));
