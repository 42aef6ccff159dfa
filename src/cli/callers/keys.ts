import {
  changeKey,
  createKey,
  type KeyChange,
  revokeKey,
  rotateKey,
  type Unchanged,
} from '../../access/authentication/key-changes.ts';
import { type KeyRecord, type ListedKey, listKeys } from '../../access/authentication/key-store.ts';
import { listDailyUse, readMonthUses, useKeptDays } from '../../access/usage/store.ts';
import { isUnknownCommit } from '../../platform/database/unknown-commit.ts';
import { addDays, dateIn, formatInstant, systemClock } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { describeDoubt } from '../../composition/load-settings.ts';
import { changing, type Given, type NamedCommand, option, reporting } from '../command/command.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, printReport, printToStderr, UsageError } from '../command/report.ts';
import { requireKnownKey, unknownKey } from '../running/listing.ts';
import { dateField } from '../../platform/fields/dates.ts';
import { sayMade, withDatabase } from '../running/with-database.ts';
import { changeOptions, newKeyOptions, overlapHours } from './key-options.ts';

/** The report is the only place that shows the secret. */
const create = changing({
  words: 'create',
  says: 'create a key and print it; it cannot be shown again',
  examples: [
    'keys create --name "web shop"',
    'keys create --name partner --rate-limit 60 --quota 5000 --expires 2027-06-30',
  ],
  options: newKeyOptions,
  run: async (io, { by, options }) => {
    const { name } = options;
    const wanted = { ...toChange(options), name, at: formatInstant(systemClock.now()), by };
    const { key, ...record } = await withDatabase(
      io,
      async ({ db }) => createKey(db, wanted),
      sayMade(io),
    );
    warnOfRequester(io, wanted.requester);
    const { id, rateLimit, quota, callsPerDay, scopes, requester, ...times } = record;
    const { createdAt, expiresAt } = times;
    const limits = { rateLimit, quota, callsPerDay };
    return {
      document: { id, key, name, ...limits, scopes, requester, createdAt, expiresAt },
      text: key,
      note: `This is ${id} for ${name}. It is not shown again; only its hash is stored.`,
    };
  },
});

const list = reporting({
  words: 'list',
  says: 'all keys with their limits and use, without the secrets',
  examples: ['keys list'],
  run: async (io) => {
    const { keys, uses, now } = await withDatabase(io, async ({ db, clock }) => {
      const nowMs = clock.now();
      const uses = await readMonthUses(db, dateIn('UTC', nowMs));
      return { keys: await listKeys(db), uses, now: formatInstant(nowMs) };
    });
    const rows = keys.map((key) => ({
      ...key,
      status: statusOf(key, now),
      usedThisMonth: uses.get(key.id) ?? 0,
      lastUsedAt: lastUsedAt(key),
    }));
    const text = {
      rows: rows.map((k) => ({
        id: k.id,
        name: k.name,
        status: k.status,
        'rate limit': k.rateLimit,
        quota: k.quota,
        'calls a day': k.callsPerDay,
        scopes: k.scopes.join(' '),
        requester: k.requester,
        'this month': k.usedThisMonth,
        'last used': k.lastUsedAt,
        created: k.createdAt,
        expires: k.expiresAt,
      })),
      empty: `There are no keys yet; "${vatfx('keys create --name N')}" makes one.`,
    };
    return { document: rows, text };
  },
});

const change = changing({
  words: 'change <id>',
  says: 'change name, limits, scopes, requester or expiry; running servers follow within seconds',
  examples: ['keys change key_3f9a1c5be0d27748 --quota none'],
  options: changeOptions,
  run: async (io, { argument: id, by, options }) => {
    const wanted = toChange(options);
    if (Object.keys(wanted).length === 0) {
      throw new UsageError(
        'expected --name, --rate-limit, --quota, --calls-per-day, --scope, --requester or --expires, got none of them',
      );
    }
    const at = formatInstant(systemClock.now());
    const changed = await withDatabase(io, async ({ db }) =>
      changeKey(db, id, { ...wanted, at, by }),
    );
    if (changed.kind !== 'changed') throw describeUnchanged(id, changed);
    warnOfRequester(io, wanted.requester);
    const { name, rateLimit, quota, callsPerDay, scopes, requester, expiresAt } = changed.record;
    const calls = callsPerDay === 'default' ? '' : `, calls a day ${callsPerDay}`;
    const onBehalf = requester === null ? '' : `, requester ${requester}`;
    const expires = expiresAt === null ? 'never expires' : `expires at ${expiresAt}`;
    return {
      document: changed.record,
      text: `${id} for ${name}: rate limit ${rateLimit}, quota ${quota}${calls}, scopes ${scopes.join(' ')}${onBehalf}, ${expires}`,
    };
  },
});

/**
 * Gives a key a new secret, which is shown only here; the old secret still works for the overlap. The secret is printed before
 * the commit: otherwise a lost connection would lose it, and the old one would end (rule C38).
 */
const rotate = changing({
  words: 'rotate <id>',
  says: 'give a key a new secret and print it; it cannot be shown again',
  examples: ['keys rotate key_3f9a1c5be0d27748 --overlap-hours 48'],
  options: { overlapHours },
  run: async (io, { argument: id, by, isJson, options: { overlapHours: hours } }) => {
    const nowMs = systemClock.now();
    const wantedEndsAt = formatInstant(nowMs + hours * 3_600_000);
    // If the key expires before the overlap ends, both secrets end then.
    const endOf = ({ expiresAt }: KeyRecord): string =>
      expiresAt === null || wantedEndsAt < expiresAt ? wantedEndsAt : expiresAt;
    let isPrinted = false;
    const wanted = {
      overlapEndsAt: wantedEndsAt,
      at: formatInstant(nowMs),
      by,
      beforeCommit: (key: string, record: KeyRecord) => {
        const document = { id, key, name: record.name, overlapEndsAt: endOf(record) };
        printReport(io, { document, text: key }, isJson);
        isPrinted = true;
      },
    };
    const rotated = await withDatabase(io, async ({ db }) => rotateKey(db, id, wanted)).catch(
      (error: unknown) => {
        if (isPrinted) printToStderr(io, noteOfFailure(error));
        throw error;
      },
    );
    if (rotated.kind !== 'rotated') throw describeUnchanged(id, rotated);
    if (isJson) return undefined;
    const { record } = rotated;
    const before =
      hours === 0 ? 'The old key no longer works' : `The old key works until ${endOf(record)}`;
    printToStderr(
      io,
      `This is now the key of ${id} for ${record.name}. It is not shown again. ${before}.`,
    );
    return undefined;
  },
});

/** Running servers refuse the key within seconds. */
const revoke = changing({
  words: 'revoke <id>',
  says: 'revoke a key permanently',
  examples: ['keys revoke key_3f9a1c5be0d27748 --reason "left the company"'],
  run: async (io, { argument: id, by }) => {
    const isKnown = await withDatabase(io, async ({ db, clock }) =>
      revokeKey(db, id, { at: formatInstant(clock.now()), by }),
    );
    if (!isKnown) throw unknownKey(id);
    return { document: { id, status: 'revoked' }, text: `${id} is revoked` };
  },
});

const use = reporting({
  words: 'use <id>',
  says: 'requests that a key was charged for, by day, for 400 days',
  examples: ['keys use key_3f9a1c5be0d27748 --from 2026-11-01'],
  options: {
    from: option('<date>', 'first day', dateField),
    to: option('<date>', 'last day', dateField),
  },
  run: async (io, { argument: id, options }) => {
    const today = dateIn('UTC', systemClock.now());
    // Later days have no use, and would take the place of days in the 400.
    const to = options.to !== undefined && options.to < today ? options.to : today;
    const { from = addDays(to, 1 - useKeptDays) } = options;
    if (from > to) throw new UsageError(`--from is ${from}, expected a day up to ${to}`);
    const days = await withDatabase(io, async ({ db }) => {
      await requireKnownKey(db, id);
      return listDailyUse(db, id, { from, to });
    });
    const rows = days.map(({ useDate, requests }) => ({ date: useDate, requests }));
    return {
      document: rows,
      text: { rows, empty: `${id} was charged for no requests in this period.` },
    };
  },
});

export const keyCommands: readonly NamedCommand[] = [create, list, change, rotate, revoke, use];

function toChange({ scope, expires, ...others }: Given<typeof changeOptions>): KeyChange {
  return {
    ...others,
    ...(scope !== undefined && { scopes: scope }),
    ...(expires !== undefined && { expiresAt: expires }),
  };
}

/** Status of a key at a time; `revoked` also if it has expired. */
function statusOf(key: KeyRecord, now: string): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

/** The newest use of any secret of a key; null if there was none. */
function lastUsedAt({ secrets }: ListedKey): string | null {
  const used = secrets.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return used.sort().at(-1) ?? null;
}

/** The sentence about the printed key if the rotation fails with an error. */
function noteOfFailure(error: unknown): string {
  return isUnknownCommit(error)
    ? 'The printed key works if the rotation was made. Keep it, and try it.'
    : 'The printed key does not work: the rotation was not made.';
}

/** Warns of a requester that perhaps no business has. */
function warnOfRequester(io: Io, given: string | null | undefined): void {
  for (const requester of given?.split(',') ?? []) {
    const doubt = describeDoubt(requester);
    if (doubt !== undefined) printToStderr(io, `warning: --requester is ${requester}: ${doubt}`);
  }
}

/** Says why a key was not changed, and what to do instead. */
function describeUnchanged(id: string, left: Unchanged): CommandFailure {
  if (left.kind === 'unknown') return unknownKey(id);
  const instead = {
    revoked: `that is permanent; "${vatfx('keys create')}" makes another`,
    expired: `"${vatfx(`keys change ${id} --expires D`)}" gives it more time`,
  };
  return new CommandFailure(`${id} is ${left.why} since ${left.at}; ${instead[left.why]}`);
}
