import type { RequestLimit } from '../../platform/http/request-cost.ts';

/** The calls of one key on a day. */
export type CallsOfKey = {
  readonly keyId: string;
  readonly day: string;
  /** Undefined until it was read. */
  limit: RequestLimit | undefined;
  /** Calls that the database has counted for this process and that have not begun. */
  granted: number;
  /** Calls that have begun, and are counted in the database and not made yet. */
  begun: number;
  /** Calls that the database has not counted yet. */
  unwritten: number;
  /** Writes of which it is not known whether they were committed. */
  unsettled: number;
  /** What `describe` has read last. */
  known: { readonly limit: RequestLimit; readonly used: number } | undefined;
  /** When no call was left. */
  refusedAtMs: number;
  granting: Promise<void> | undefined;
};

/** The calls of a key on a day of which none was made. */
export function startDay(keyId: string, day: string): CallsOfKey {
  return {
    keyId,
    day,
    limit: undefined,
    granted: 0,
    begun: 0,
    unwritten: 0,
    unsettled: 0,
    known: undefined,
    refusedAtMs: -Infinity,
    granting: undefined,
  };
}
