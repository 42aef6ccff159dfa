/** The reason why there is no data. */
export type Failure =
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The `error` field of the answer. */
      readonly error: string;
      /** Undefined if the answer has no `Retry-After`. */
      readonly retryAfterSeconds: number | undefined;
    }
  /** The browser has no network. */
  | { readonly kind: 'offline' }
  /** There is no answer from the address of the service. */
  | { readonly kind: 'unreachable' }
  /** The answer is not from the service but, for example, from a proxy. */
  | { readonly kind: 'foreign'; readonly status: number };

export type RequestOutcome<T> =
  | { readonly kind: 'answered'; readonly data: T }
  | { readonly kind: 'failed'; readonly failure: Failure };
