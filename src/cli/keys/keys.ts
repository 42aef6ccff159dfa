import {
  changeKey,
  createKey,
  revokeKey,
  rotateKey,
  type Unchanged,
} from '../../access/authentication/key-changes.ts';
import { listKeys } from '../../access/authentication/key-store.ts';
import { listDailyUse, readMonthUses, useKeptDays } from '../../access/usage/store.ts';
import { addDays, dateIn, formatInstant, systemClock } from '../../platform/time/time.ts';
import {
  type ChangeOptions,
  lastUsedAt,
  readChange,
  readOverlapHours,
  statusOf,
} from './options.ts';
import { describeDoubt } from '../../composition/load-settings.ts';
import { type Io, CommandFailure, printToStderr, type Report, UsageError } from '../report.ts';
import { requireKnownKey, unknownKey } from '../listing.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { readDate } from '../options.ts';
import { withCore } from '../with-core.ts';

/** Creates a key. Its report is the only time that the secret is shown. */
export async function create(
  io: Io,
  options: ChangeOptions & ReasonOption & { readonly name: string },
): Promise<Report> {
  const at = formatInstant(systemClock.now());
  const by = operatorOf(io, options);
  const wanted = { name: options.name, ...readChange(options, at), at, by };
  const { key, ...record } = await withCore(io, async ({ db }) => createKey(db, wanted));
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
  const { keys, uses, now } = await withCore(io, async ({ db, clock }) => {
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
    empty: 'There are no keys yet; "keys create --name N" makes one.',
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
  const changed = await withCore(io, async ({ db }) => changeKey(db, id, { ...wanted, at, by }));
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

/** Gives a key a new secret, which is shown only here; the old secret still works for the overlap. */
export async function rotate(
  io: Io,
  id: string,
  options: ReasonOption & { readonly overlapHours: string },
): Promise<Report> {
  const overlapMs = readOverlapHours(options.overlapHours) * 3_600_000;
  const nowMs = systemClock.now();
  const wanted = {
    overlapEndsAt: formatInstant(nowMs + overlapMs),
    at: formatInstant(nowMs),
    by: operatorOf(io, options),
  };
  const rotated = await withCore(io, async ({ db }) => rotateKey(db, id, wanted));
  if (rotated.kind !== 'rotated') throw describeUnchanged(id, rotated);
  const { key, record } = rotated;
  // If the key expires before the overlap ends, both secrets end then.
  const [overlapEndsAt = wanted.overlapEndsAt] = [wanted.overlapEndsAt, record.expiresAt]
    .filter((at) => at !== null)
    .sort();
  const before =
    overlapMs === 0 ? 'The old key no longer works' : `The old key works until ${overlapEndsAt}`;
  return {
    document: { id, key, name: record.name, overlapEndsAt },
    text: key,
    note: `This is now the key of ${id} for ${record.name}. It is not shown again. ${before}.`,
  };
}

/** Revokes a key permanently; running servers refuse it within seconds. */
export async function revoke(io: Io, id: string, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
  const isKnown = await withCore(io, async ({ db, clock }) =>
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
  const days = await withCore(io, async ({ db }) => {
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
    revoked: 'that is permanent; "keys create" makes another',
    expired: `"keys change ${id} --expires D" gives it more time`,
  };
  return new CommandFailure(`${id} is ${left.why} since ${left.at}; ${instead[left.why]}`);
}
