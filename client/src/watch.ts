import type { CountryAndVatNumber, StoredCheck, Trader } from './stored-check.ts';

/** The settings of a watch (rule K13). */
export type WatchInput = {
  /** Days between two checks: 1 to 365, by default 90. */
  readonly everyDays?: number | null;
  /** On whose behalf the registry is queried. By default the requester of the key, or that of the service. */
  readonly requester?: CountryAndVatNumber | null;
  readonly trader?: Trader | null;
  /** At most 100 characters, for the caller. */
  readonly reference?: string | null;
};

/** A VAT number that is checked again and again (rule K13). Moments are ISO instants. */
export type Watch = {
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly everyDays: number;
  readonly requester: CountryAndVatNumber | null;
  readonly trader: StoredCheck['trader'];
  readonly reference: string | null;
  /** The newest check; null before the first one, and if it was deleted. */
  readonly lastCheck: StoredCheck | null;
  readonly nextCheckAt: string;
  /**
   * Why the number is not watched at present. `QUOTA_EXCEEDED`: the next check waits for quota. `INVALID_REQUESTER`: your key
   * may not use the requester any more, or the registry refuses it. `INVALID_INPUT`: the registry refuses the number. Null
   * if there is no such problem.
   */
  readonly error: 'QUOTA_EXCEEDED' | 'INVALID_REQUESTER' | 'INVALID_INPUT' | null;
  readonly createdAt: string;
};

export type WatchQuery = {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** By default 100, at most 500. */
  readonly limit?: number | undefined;
};

/** A page of watches; `nextCursor` is null on the last page. */
export type WatchPage = {
  readonly watches: readonly Watch[];
  readonly count: number;
  readonly nextCursor: string | null;
};
