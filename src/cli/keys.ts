import { createKey, type KeyRecord, listKeys, revokeKey } from '../access/store.ts';
import { addDays, formatInstant, momentIn, parseIsoDate } from '../platform/time.ts';
import { CommandFailure, formatTable, report, UsageError } from './report.ts';
import { withCore } from './with-core.ts';

/** Creates a key and prints it, the only time that it can be seen. */
export async function create(options: {
  readonly name: string;
  readonly expires?: string;
  readonly json?: boolean;
}): Promise<void> {
  const name = options.name.trim();
  if (name === '' || name.length > 200) {
    throw new UsageError('--name is empty or longer than 200 characters, expected whose key it is');
  }
  const created = await withCore(async ({ db, clock }) => {
    const at = formatInstant(clock.now());
    const expiresAt = options.expires === undefined ? null : readExpiry(options.expires, at);
    return createKey(db, { name, expiresAt, at });
  });
  const { key, ...record } = created;
  report(
    options.json,
    { id: record.id, key, name, createdAt: record.createdAt, expiresAt: record.expiresAt },
    `${key}\n\nThis is ${record.id} for ${name}. The key is shown this once; only its hash is kept.`,
  );
}

/** Lists all keys without the keys. */
export async function list(options: { readonly json?: boolean }): Promise<void> {
  const { keys, now } = await withCore(async ({ db, clock }) => ({
    keys: await listKeys(db),
    now: formatInstant(clock.now()),
  }));
  const rows = keys.map((key) => ({ ...key, status: statusOf(key, now) }));
  const text = formatTable(
    ['id', 'name', 'status', 'created', 'expires'],
    rows.map((k) => [k.id, k.name, k.status, k.createdAt, k.expiresAt]),
    'There are no keys yet; "keys create --name N" makes one.',
  );
  report(options.json, rows, text);
}

/** Ends a key for good; it stops working within seconds, also on running servers. */
export async function revoke(id: string, options: { readonly json?: boolean }): Promise<void> {
  const isKnown = await withCore(async ({ db, clock }) =>
    revokeKey(db, id, formatInstant(clock.now())),
  );
  if (!isKnown) throw new CommandFailure(`there is no key ${id}; "keys list" lists them`);
  report(options.json, { id, status: 'revoked' }, `${id} is revoked`);
}

/** A key works through the end of its last day, UTC (contract C25). */
function readExpiry(text: string, at: string): string {
  const date = parseIsoDate(text);
  // Instants compare as text, which a year of five digits would break.
  if (date === null || date >= '9999') {
    throw new UsageError(`--expires is ${text}, expected YYYY-MM-DD before the year 9999`);
  }
  const expiresAt = formatInstant(momentIn('UTC', addDays(date, 1), 0));
  if (expiresAt <= at) throw new UsageError(`--expires is ${text}, expected today or a later day`);
  return expiresAt;
}

function statusOf(key: KeyRecord, now: string): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}
