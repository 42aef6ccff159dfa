/** A key's limits and its use of them (contract C26). */
export type Usage = {
  readonly name: string;
  /** An ISO instant; null if the key does not expire. */
  readonly expiresAt: string | null;
  readonly rateLimit: Allowance & { readonly windowSeconds: number };
  /** `month` is `2026-11`, for example, in UTC. */
  readonly quota: Allowance & { readonly month: string };
  /** Calls to VIES in a UTC day that your requests wait for; cached answers do not count. */
  readonly callsPerDay: Allowance;
};

/** A rate limit or a quota; `limit` and `remaining` are null if there is no limit. */
export type Allowance = {
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly resetsAt: string;
};
