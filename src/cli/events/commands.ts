import type { Command } from 'commander';
import type { Io } from '../report.ts';

/** Adds the commands of the event log. */
export function addEvents(program: Command, io: Io): void {
  program
    .command('events')
    .description('the event log, which callers read with GET /events')
    .command('tail')
    .description(
      'print events as JSON lines, the oldest first, and wait for further ones until Ctrl-C',
    )
    .option('--after <cursor>', 'only events after this cursor; now for those that happen from now')
    .option('--key <id>', 'public events and those of this key; only public ones if left out')
    .option('--type <types>', 'only events of these types, separated by commas')
    .option('--no-follow', 'end with the newest event')
    .option('--json', 'no effect: events are always JSON, one on each line')
    .action(async (options) => (await import('./tail.ts')).tail(io, options));
}
