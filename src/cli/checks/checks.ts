import { choice, textForm } from '../../platform/fields/field.ts';
import { listAllChecks } from '../../vat-check/stored/requests/check-list.ts';
import { findAnyCheck } from '../../vat-check/stored/check-store.ts';
import { printCheck } from '../../vat-check/stored/print-check.ts';
import { formatInstant, midnightOf } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { checkStatuses } from '../../vat-check/stored/stored-check.ts';
import { readNumbers } from '../../vat-check/stored/requests/list-query.ts';
import { operatorId } from '../../vat-check/stored/owner.ts';
import { writeAudit } from '../../platform/database/audit.ts';
import { endBlock } from '../../vat-check/calls/block-sharing.ts';
import { anyText, changing, type NamedCommand, option, reporting } from '../command/command.ts';
import { CommandFailure } from '../command/report.ts';
import { listPages, type PageAfter, requireKnownKey } from '../running/listing.ts';
import { dateField } from '../../platform/fields/dates.ts';
import { limit } from '../command/options.ts';
import { withDatabase } from '../running/with-database.ts';
import { describeCheck, describeNoAnswer } from './describe.ts';
import { forget } from './forget.ts';

const list = reporting({
  words: 'list',
  says: 'the newest checks, with the keys that they belong to',
  examples: ['checks list --status pending', 'checks list --vat-number DE811115368'],
  options: {
    key: option('<id>', 'only those of this key; operator for those of this command line', anyText),
    status: option(
      '<status>',
      'pending, answered, rejected or expired',
      choice(checkStatuses, checkStatuses.join(', ')),
    ),
    vatNumber: option(
      '<number>',
      'only those of this number; without its country in front, in any country',
      textForm('a VAT number, such as DE811115368', (text) => readNumbers(text, undefined)),
    ),
    batch: option('<id>', 'only those of this batch', anyText),
    reference: option('<text>', 'only those with this reference', anyText),
    referencePrefix: option('<text>', 'only those whose reference begins so', anyText),
    since: option('<date>', 'first day of their creation, UTC', dateField),
    limit,
  },
  run: async (io, { options }) => {
    const { key, status, since, reference, referencePrefix } = options;
    const filter = {
      keyId: key,
      status,
      numbers: options.vatNumber,
      batchId: options.batch,
      reference,
      referencePrefix,
      sinceMs: since === undefined ? undefined : midnightOf(since),
    };
    const checks = await withDatabase(io, async ({ db }) => {
      if (key !== operatorId) await requireKnownKey(db, key);
      return listPages(options.limit, async (page: PageAfter<string>) => {
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
  },
});

/** The check may be of any key, or of the operator. */
const show = reporting({
  words: 'show <id>',
  says: 'one check with its answer, or with the reason why there is none yet',
  examples: ['checks show vc_3f9a1c5be0d27748'],
  run: async (io, { argument: id }) => {
    const found = await withDatabase(io, async ({ db }) => findAnyCheck(db, id));
    if (found === undefined) {
      throw new CommandFailure(
        `there is no check ${id}; "${vatfx('checks list')}" lists the newest`,
      );
    }
    const check = printCheck(found);
    const reason = describeNoAnswer(check);
    const text = describeCheck(check, found.keyId);
    return {
      document: { keyId: found.keyId, ...check },
      text: reason === undefined ? text : `${text}\n\n${reason}`,
    };
  },
});

/** Servers make calls again within a second (rule K21a). */
const unblock = changing({
  words: 'unblock',
  says: 'end the block by VIES before its time, once its cause is removed',
  examples: ['checks unblock --reason "the loop of the shop is stopped"'],
  run: async (io, { by }) => {
    const ended = await withDatabase(io, async ({ db, clock }) =>
      db.transaction().execute(async (tx) => {
        const block = await endBlock(tx);
        if (block === undefined) return undefined;
        const { reason } = block;
        const blockedUntil = formatInstant(block.untilMs);
        const detail = { reason, blockedUntil };
        const at = formatInstant(clock.now());
        await writeAudit(tx, { at, action: 'checks.unblock', subject: 'vies', by, detail });
        return detail;
      }),
    );
    const { reason = null, blockedUntil = null } = ended ?? {};
    return {
      document: { ended: ended !== undefined, reason, blockedUntil },
      text:
        ended === undefined
          ? 'VIES does not block this service: there is nothing to end.'
          : `Ended the block by VIES until ${blockedUntil} (${reason}). If VIES still refuses this service, three refusals begin the next block.`,
    };
  },
});

export const checkCommands: readonly NamedCommand[] = [list, show, forget, unblock];
