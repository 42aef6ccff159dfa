import { serviceDefaultsOf } from '../../composition/stored-checks.ts';
import { findCheck } from '../../vat-check/stored/check-store.ts';
import { operatorId } from '../../vat-check/stored/owner.ts';
import { printCheck } from '../../vat-check/stored/print-check.ts';
import type { Io } from '../command/io.ts';
import { type Report, UsageError } from '../command/report.ts';
import { withCore } from '../running/with-core.ts';
import { anyText, type Argument, type Given, reporting } from '../command/command.ts';
import { checkOptions, readCheckArguments } from './arguments.ts';
import { checkFile, createStoredOfCommand } from './check-file.ts';
import { describeCheck, describeNoAnswer } from './describe.ts';

const number: Argument<string | undefined> = { says: '', form: anyText };

/** Stores a check of one number, or those of a file. */
export const check = reporting({
  examples: [
    'check DE811115368',
    'check ESB83891812 --requester NL854265259B01 --trader-name "Ejemplo S.L." --trader-postcode 28001',
    'check --csv customers.csv --out answers.csv',
    'check --csv - --out - < customers.csv > answers.csv',
  ],
  argument: number,
  options: checkOptions,
  run: async (io, { argument, options, isJson }) => {
    if (options.csv !== undefined || options.out !== undefined) {
      return checkFile(io, { number: argument, options, isJson });
    }
    if (argument === undefined) {
      throw new UsageError('expected a VAT number such as DE811115368, or --csv and --out');
    }
    return checkNumber(io, argument, options);
  },
});

/** Makes the first attempt of a check, and reports the answer; exit code 1 if there is none. */
async function checkNumber(
  io: Io,
  number: string,
  options: Given<typeof checkOptions>,
): Promise<Report> {
  const check = await withCore(io, async (core, signal) => {
    const request = readCheckArguments(number, options, {
      ofKey: [],
      ...serviceDefaultsOf(core.config),
    });
    const stored = createStoredOfCommand(core);
    signal.addEventListener('abort', () => core.vat.cutOff());
    const creation = await stored.create({ keyId: operatorId, request, idempotency: undefined });
    if (creation.kind === 'conflict')
      throw new Error('a check without an idempotency key conflicts');
    // An attempt may take longer than the wait: VIES_TIMEOUT_MS may be longer.
    await stored.stop();
    const { id } = creation.check;
    return printCheck((await findCheck(core.db, operatorId, id)) ?? creation.check);
  });
  return {
    document: check,
    text: describeCheck(check, operatorId),
    failure: describeNoAnswer(check),
  };
}
