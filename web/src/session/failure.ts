/** The reason why a request returned no data. */
export type Failure =
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The `error` field of the answer. */
      readonly error: string;
      /** Undefined if the answer has no `Retry-After`. */
      readonly retryAfterSeconds: number | undefined;
      /** The header `Link`, for example with the dates before and after one that has no data. */
      readonly link?: string | undefined;
    }
  /** The browser has no network. */
  | { readonly kind: 'offline' }
  /** No answer arrived, although the browser has a network. */
  | { readonly kind: 'unreachable' }
  /** The answer is not from the service but, for example, from a proxy. */
  | { readonly kind: 'foreign'; readonly status: number };

/** The data of an answer, or the reason why there is none. */
export type RequestOutcome<T> =
  | { readonly kind: 'answered'; readonly data: T }
  | { readonly kind: 'failed'; readonly failure: Failure };
