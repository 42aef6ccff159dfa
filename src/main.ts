import { runCli } from './cli/run-cli.ts';

const { stderr, stdout } = process;

// Node would print every property of an error, and some libraries put their input into these: an address with
// its password, for example (contract C33). The stack begins with the message.
process.on('uncaughtException', (error) => {
  stderr.write(`error: ${error instanceof Error ? error.stack : 'unknown'}\n`);
  process.exit(1);
});

// A reader may close the pipe early, as `head` does. The command still does its work.
for (const stream of [stdout, stderr]) {
  stream.on('error', (error) => {
    if (!('code' in error && error.code === 'EPIPE')) throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), process);
