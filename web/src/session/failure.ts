/** Why there is no answer. */
export type Failure =
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The service's own words. */
      readonly error: string;
      /** When to try again; null where the service does not say. */
      readonly retryAfterSeconds: number | null;
    }
  /** The browser has no network. */
  | { readonly kind: 'offline' }
  /** Nobody answers at the service's address. */
  | { readonly kind: 'away' }
  /** Somebody answers, but not the service: a proxy's page, for example. */
  | { readonly kind: 'foreign'; readonly status: number };

export type Answered<T> =
  | { readonly kind: 'answered'; readonly data: T }
  | { readonly kind: 'failed'; readonly failure: Failure };
