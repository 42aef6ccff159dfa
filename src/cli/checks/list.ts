import { listAllChecks } from '../../vat-check/stored/requests/check-list.ts';
import { findAnyCheck } from '../../vat-check/stored/check-store.ts';
import { printCheck } from '../../vat-check/stored/print-check.ts';
import { midnightOf } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { checkStatuses, type CheckStatus } from '../../vat-check/stored/stored-check.ts';
import { readNumbers } from '../../vat-check/stored/requests/list-query.ts';
import { operatorId } from '../../vat-check/stored/owner.ts';
import { type Io, CommandFailure, type Report, UsageError } from '../report.ts';
import { listPages, type PageAfter, requireKnownKey } from '../listing.ts';
import { readDate, readLimit } from '../options.ts';
import { withDatabase } from '../with-database.ts';
import { describeCheck, describeNoAnswer } from './describe.ts';

type ListOptions = {
  readonly key?: string;
  readonly status?: string;
  readonly vatNumber?: string;
  readonly batch?: string;
  readonly reference?: string;
  readonly referencePrefix?: string;
  readonly since?: string;
  readonly limit: string;
};

/** Lists the newest checks of all keys and of the operator. */
export async function list(io: Io, options: ListOptions): Promise<Report> {
  const { key, status, vatNumber, batch, reference, referencePrefix, since } = options;
  const limit = readLimit(options.limit);
  const filter = {
    keyId: key,
    status: status === undefined ? undefined : readStatus(status),
    numbers: vatNumber === undefined ? undefined : readAnyNumber(vatNumber),
    batchId: batch,
    reference,
    referencePrefix,
    sinceMs: since === undefined ? undefined : midnightOf(readDate('--since', since)),
  };
  const checks = await withDatabase(io, async ({ db }) => {
    if (key !== operatorId) await requireKnownKey(db, key);
    return listPages(limit, async (page: PageAfter<string>) => {
      const { checks: rows, nextCursor } = await listAllChecks(db, filter, page);
      return { rows, next: nextCursor };
    });
  });
  const printed = checks.map((check) => ({ keyId: check.keyId, ...printCheck(check) }));
  return {
    document: printed,
    text: {
      rows: printed.map((check) => ({
        id: check.id,
        key: check.keyId,
        number: `${check.countryCode} ${check.vatNumber}`,
        status: check.status,
        valid: check.valid === null ? null : String(check.valid),
        error: check.error,
        created: check.createdAt,
        reference: check.reference,
      })),
      empty: 'There are no such checks.',
    },
  };
}

/** Shows one check of any key, or of the operator. */
export async function show(io: Io, id: string): Promise<Report> {
  const found = await withDatabase(io, async ({ db }) => findAnyCheck(db, id));
  if (found === undefined) {
    throw new CommandFailure(`there is no check ${id}; "${vatfx('checks list')}" lists the newest`);
  }
  const check = printCheck(found);
  const reason = describeNoAnswer(check);
  const text = describeCheck(check, found.keyId);
  return {
    document: { keyId: found.keyId, ...check },
    text: reason === undefined ? text : `${text}\n\n${reason}`,
  };
}

/** Reads a number with or without its country in front. */
function readAnyNumber(text: string): ReturnType<typeof readNumbers> {
  const numbers = readNumbers(text, undefined);
  if (numbers !== undefined) return numbers;
  throw new UsageError(`--vat-number is ${text}, expected a VAT number, such as DE811115368`);
}

function readStatus(text: string): CheckStatus {
  const status = checkStatuses.find((one) => one === text);
  if (status !== undefined) return status;
  throw new UsageError(`--status is ${text}, expected ${checkStatuses.join(', ')}`);
}
