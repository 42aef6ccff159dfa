import { type Command, Option } from 'commander';
import type { Io } from './io.ts';
import { printReport, type Report } from './report.ts';

/** Adds the option of a command that reports. */
export function reporting(command: Command): Command {
  return command.addOption(new Option('--json', 'one JSON document on standard output'));
}

/** Adds the options of a command whose change the audit records. */
export function changing(command: Command): Command {
  return reporting(command).option('--reason <text>', 'why, for the audit');
}

/** Arguments of a command's action: its own arguments, its options, and the command. */
type Given = Parameters<Parameters<Command['action']>[0]>;

/** Makes the action of a command that reports: runs it and prints its report. */
export function reports(
  io: Io,
  run: (...given: Given) => Promise<Report>,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    const { json } = given.at(-2) as { readonly json?: boolean };
    printReport(io, await run(...given), json === true);
  };
}
