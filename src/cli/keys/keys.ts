import {
  changeKey,
  createKey,
  revokeKey,
  rotateKey,
  type Unchanged,
} from '../../access/authentication/key-changes.ts';
import { type KeyRecord, listKeys } from '../../access/authentication/key-store.ts';
import { listDailyUse, readMonthUses, useKeptDays } from '../../access/usage/store.ts';
import { isUnknownCommit } from '../../platform/database/unknown-commit.ts';
import { addDays, dateIn, formatInstant, systemClock } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import {
  type ChangeOptions,
  lastUsedAt,
  readChange,
  readOverlapHours,
  statusOf,
} from './options.ts';
import { describeDoubt } from '../../composition/load-settings.ts';
import {
  type Io,
  CommandFailure,
  printReport,
  printToStderr,
  type Report,
  UsageError,
} from '../report.ts';
import { requireKnownKey, unknownKey } from '../listing.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { readDate } from '../options.ts';
import { sayMade, withDatabase } from '../with-database.ts';

/** Creates a key. Its report is the only time that the secret is shown. */
export async function create(
  io: Io,
  options: ChangeOptions & ReasonOption & { readonly name: string },
): Promise<Report> {
  const at = formatInstant(systemClock.now());
  const by = operatorOf(io, options);
  const wanted = { name: options.name, ...readChange(options, at), at, by };
  const { key, ...record } = await withDatabase(
    io,
    async ({ db }) => createKey(db, wanted),
    sayMade(io),
  );
  warnOfRequester(io, wanted.requester);
  const { id, name, rateLimit, quota, callsPerDay, scopes, requester, ...times } = record;
  const { createdAt, expiresAt } = times;
  const limits = { rateLimit, quota, callsPerDay };
  return {
    document: { id, key, name, ...limits, scopes, requester, createdAt, expiresAt },
    text: key,
    note: `This is ${id} for ${name}. It is not shown again; only its hash is stored.`,
  };
}

/** Lists all keys without their secrets. */
export async function list(io: Io): Promise<Report> {
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
}

/** Changes the given fields of a key; running servers follow within seconds. */
export async function change(
  io: Io,
  id: string,
  options: ChangeOptions & ReasonOption,
): Promise<Report> {
  const at = formatInstant(systemClock.now());
  const by = operatorOf(io, options);
  const wanted = readChange(options, at);
  if (Object.keys(wanted).length === 0) {
    throw new UsageError(
      'expected --name, --rate-limit, --quota, --calls-per-day, --scope, --requester or --expires, got none of them',
    );
  }
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
}

/**
 * Gives a key a new secret, which is shown only here; the old secret still works for the overlap. The secret is printed before
 * the commit: otherwise a lost connection would lose it, and the old one would end (rule C38).
 */
export async function rotate(
  io: Io,
  id: string,
  options: ReasonOption & { readonly overlapHours: string; readonly json?: boolean },
): Promise<void> {
  const overlapMs = readOverlapHours(options.overlapHours) * 3_600_000;
  const nowMs = systemClock.now();
  const wantedEndsAt = formatInstant(nowMs + overlapMs);
  // If the key expires before the overlap ends, both secrets end then.
  const endOf = ({ expiresAt }: KeyRecord): string =>
    expiresAt === null || wantedEndsAt < expiresAt ? wantedEndsAt : expiresAt;
  const isJson = options.json === true;
  let isPrinted = false;
  const wanted = {
    overlapEndsAt: wantedEndsAt,
    at: formatInstant(nowMs),
    by: operatorOf(io, options),
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
  if (isJson) return;
  const { record } = rotated;
  const before =
    overlapMs === 0 ? 'The old key no longer works' : `The old key works until ${endOf(record)}`;
  printToStderr(
    io,
    `This is now the key of ${id} for ${record.name}. It is not shown again. ${before}.`,
  );
}

/** What is known of the key that was printed if the rotation fails with an error. */
function noteOfFailure(error: unknown): string {
  return isUnknownCommit(error)
    ? 'The printed key works if the rotation was made. Keep it, and try it.'
    : 'The printed key does not work: the rotation was not made.';
}

/** Revokes a key permanently; running servers refuse it within seconds. */
export async function revoke(io: Io, id: string, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
  const isKnown = await withDatabase(io, async ({ db, clock }) =>
    revokeKey(db, id, { at: formatInstant(clock.now()), by }),
  );
  if (!isKnown) throw unknownKey(id);
  return { document: { id, status: 'revoked' }, text: `${id} is revoked` };
}

/** Lists the requests that a key was charged for, by day. */
export async function showUse(
  io: Io,
  id: string,
  options: { readonly from?: string; readonly to?: string },
): Promise<Report> {
  const today = dateIn('UTC', systemClock.now());
  const wantedTo = options.to === undefined ? today : readDate('--to', options.to);
  // Later days have no use, and would take the place of days in the 400.
  const to = wantedTo < today ? wantedTo : today;
  const from =
    options.from === undefined ? addDays(to, 1 - useKeptDays) : readDate('--from', options.from);
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
}

/** Warns of a requester that perhaps no business has. */
function warnOfRequester(io: Io, given: string | null | undefined): void {
  const doubt = describeDoubt(given ?? '');
  if (doubt !== undefined) printToStderr(io, `warning: --requester is ${given}: ${doubt}`);
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
