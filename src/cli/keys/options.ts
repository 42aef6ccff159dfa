import { type OwnLimit, parseOwnLimit } from '../../access/limits/key-limits.ts';
import type { KeyChange } from '../../access/authentication/key-changes.ts';
import type { KeyRecord, ListedKey } from '../../access/authentication/key-store.ts';
import { requestLimitMax } from '../../platform/http/request-cost.ts';
import { parseScopes, type Scope, scopes } from '../../platform/http/scope.ts';
import { overlapHoursMax } from '../../platform/encryption/secret-overlap.ts';
import { printRequester, readRequesterText } from '../../vat-check/requester.ts';
import { addDays, formatInstant, midnightOf, parseIsoDate } from '../../platform/time/time.ts';
import { UsageError } from '../report.ts';

/** Options of `keys create` and `keys change`, as typed. */
export type ChangeOptions = {
  readonly name?: string;
  readonly rateLimit?: string;
  readonly quota?: string;
  readonly callsPerDay?: string;
  readonly expires?: string;
  readonly requester?: string;
  /** One entry for each use of the option; an entry may have several scopes, separated by commas. */
  readonly scope?: readonly string[];
};

/** Parses the options; those that were not given are left out. */
export function readChange(options: ChangeOptions, at: string): KeyChange {
  const { name, rateLimit, quota, callsPerDay, expires, requester, scope } = options;
  return {
    ...(name === undefined ? undefined : { name: readName(name) }),
    ...(rateLimit === undefined ? undefined : { rateLimit: readLimit('--rate-limit', rateLimit) }),
    ...(quota === undefined ? undefined : { quota: readLimit('--quota', quota) }),
    ...(callsPerDay === undefined
      ? undefined
      : { callsPerDay: readLimit('--calls-per-day', callsPerDay) }),
    ...(scope === undefined ? undefined : { scopes: readScopes(scope) }),
    ...(requester === undefined ? undefined : { requester: readRequester(requester) }),
    ...(expires === undefined ? undefined : { expiresAt: readExpiry(expires, at) }),
  };
}

function readName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200) {
    throw new UsageError(
      '--name is empty or longer than 200 characters, expected the name of the caller',
    );
  }
  if (/\p{Cc}/u.test(name)) {
    throw new UsageError(
      '--name has a line break or another control character, expected plain text',
    );
  }
  return name;
}

function readLimit(option: string, text: string): OwnLimit {
  const limit = parseOwnLimit(text);
  if (limit === undefined) {
    throw new UsageError(
      `${option} is ${text}, expected a whole number from 1 to ${requestLimitMax}, none or default`,
    );
  }
  return limit;
}

function readScopes(texts: readonly string[]): readonly Scope[] {
  const names = texts.flatMap((text) => text.split(','));
  const parsed = parseScopes(names);
  if (parsed === undefined) {
    const given = names.join(',') || 'empty';
    throw new UsageError(`--scope is ${given}, expected ${scopes.join(', ')}, or several`);
  }
  return parsed;
}

function readRequester(text: string): string | null {
  if (text === 'none') return null;
  const requester = readRequesterText(text);
  if (requester === undefined) {
    throw new UsageError(
      `--requester is ${text}, expected a VAT number with its country such as NL854265259B01, or none`,
    );
  }
  return printRequester(requester);
}

/** A key works through the end of its last day, UTC (contract C25). */
function readExpiry(text: string, at: string): string | null {
  if (text === 'never') return null;
  const date = parseIsoDate(text);
  // Instants are compared as text, which needs years of four digits.
  if (date === undefined || date >= '9999') {
    throw new UsageError(
      `--expires is ${text}, expected YYYY-MM-DD before the year 9999, or never`,
    );
  }
  const expiresAt = formatInstant(midnightOf(addDays(date, 1)));
  if (expiresAt <= at) throw new UsageError(`--expires is ${text}, expected today or a later day`);
  return expiresAt;
}

/** Parses `--overlap-hours`. */
export function readOverlapHours(text: string): number {
  const hours = Number(text);
  if (!/^[0-9]{1,3}$/.test(text) || hours > overlapHoursMax) {
    throw new UsageError(
      `--overlap-hours is ${text}, expected whole hours from 0 to ${overlapHoursMax}`,
    );
  }
  return hours;
}

/** Status of a key at a time; `revoked` also if it has expired. */
export function statusOf(key: KeyRecord, now: string): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

/** The newest use of any secret of a key; null if there was none. */
export function lastUsedAt({ secrets }: ListedKey): string | null {
  const used = secrets.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return used.sort().at(-1) ?? null;
}
