import { textForm } from '../../platform/fields/field.ts';
import { dateField } from '../../platform/fields/dates.ts';
import {
  anyText,
  changing,
  type NamedCommand,
  option,
  reporting,
  required,
} from '../command/command.ts';
import { standardStream } from '../running/standard-streams.ts';

/** What each does is loaded when it is called: `verify` needs neither database nor settings (rule K16). */
export const evidenceCommands: readonly NamedCommand[] = [
  reporting({
    words: 'verify <file>',
    says:
      'verify the evidence of a check from its file; needs no settings, database or network; exit code 0 if it holds, 1 if not, ' +
      '3 if nothing is wrong but no published keys were given',
    examples: ['evidence verify vc_3f9a1c5be0d27748.json --keys keys.json'],
    options: {
      keys: option(
        '<file>',
        'the published keys, saved from GET /evidence/keys: without them nothing is proven. Either file may be -, standard input',
        anyText,
      ),
    },
    run: async (io, { argument: file, options }) =>
      (await import('./verify.ts')).verify(io, file, options.keys),
  }),
  reporting({
    words: 'export',
    says: 'write the evidence of checks, one file per check; can be interrupted and repeated; replaces no file',
    examples: ['evidence export --since 2026-10-01 --out evidence-2026-q4'],
    options: {
      since: required('<date>', 'first day of the creation of the checks, UTC', dateField),
      out: required(
        '<folder>',
        'the folder; it is made if it does not exist',
        textForm('a folder: the evidence of each check is a file', (text) =>
          text === standardStream ? undefined : text,
        ),
      ),
    },
    run: async (io, { options }) => (await import('./export.ts')).exportEvidence(io, options),
  }),
  changing({
    words: 'rotate',
    says: 'sign with a new key from now on; earlier evidence still holds; servers may run',
    examples: ['evidence rotate --reason "every year"'],
    run: async (io, { by }) => (await import('./rotate.ts')).rotate(io, by),
  }),
];
