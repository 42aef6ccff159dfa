import { parseRequestLimit, type RequestLimit } from '../../platform/http/request-cost.ts';

/** A limit of a key; `default` is the one that the service is configured with (contract C26). */
export type OwnLimit = RequestLimit | 'default';

/** A key, as far as limits need it. */
export type LimitedKey = {
  readonly id: string;
  readonly rateLimit: OwnLimit;
  readonly quota: OwnLimit;
};

/** Requests in a window of 60 seconds, and in a calendar month (UTC). */
export type Limits = { readonly rateLimit: RequestLimit; readonly quota: RequestLimit };

/** Reads a limit of a key; undefined for a text that is not one. */
export function parseOwnLimit(text: string): OwnLimit | undefined {
  return text === 'default' ? text : parseRequestLimit(text);
}

/** The limits that apply to a key. */
export function limitsOf({ rateLimit, quota }: LimitedKey, defaults: Limits): Limits {
  return {
    rateLimit: rateLimit === 'default' ? defaults.rateLimit : rateLimit,
    quota: quota === 'default' ? defaults.quota : quota,
  };
}

/** Whether a key has neither a rate limit nor a quota. */
export function isUnlimited({ rateLimit, quota }: Limits): boolean {
  return rateLimit === 'none' && quota === 'none';
}
