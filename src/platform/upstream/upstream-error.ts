import { quoteError } from '../log/errors.ts';

/**
 * The kinds of failure of an upstream. An operator reacts to each in another way.
 *
 * A `permanent` kind does not end by a second query: a setting, a program or the upstream has to change first.
 */
export const upstreamFailureKinds = {
  network: { permanent: false, means: 'no connection, or it broke before an answer' },
  proxy: { permanent: false, means: 'the proxy on the way made no connection' },
  timeout: { permanent: false, means: 'no complete answer within the deadline' },
  cancelled: { permanent: true, means: 'the query was cancelled, because the process is stopping' },
  status: { permanent: false, means: 'an HTTP status that is not an answer' },
  redirected: { permanent: true, means: 'the address has moved' },
  refused: { permanent: true, means: 'the upstream does not recognise our request' },
  fault: { permanent: true, means: 'a SOAP fault: the upstream read the request and refused it' },
  html: { permanent: false, means: 'a web page instead of data, as in maintenance' },
  empty: { permanent: false, means: 'an answer without a body' },
  encoding: { permanent: false, means: 'bytes that are not in the declared encoding' },
  truncated: { permanent: false, means: 'the answer ended before its document did' },
  malformed: { permanent: false, means: 'not well-formed XML' },
  schema: { permanent: false, means: 'well-formed, but not the document that was agreed' },
  'too-large': { permanent: false, means: 'more bytes than any real answer has' },
  clock: { permanent: true, means: 'its clock and that of this machine differ by over an hour' },
} as const satisfies Record<string, { permanent: boolean; means: string }>;

export type UpstreamFailureKind = keyof typeof upstreamFailureKinds;

/**
 * An upstream that gave no usable answer. The message is one sentence for an operator. What the upstream wrote is quoted in it
 * (`quote`), and in the messages of the causes: parsers and TLS repeat it in theirs.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly kind: UpstreamFailureKind;
  readonly upstream: string;
  readonly operation: string;
  /** The message without the names of upstream and operation. */
  readonly detail: string;
  /** The HTTP status; undefined if there was none. */
  readonly status: number | undefined;

  constructor(
    kind: UpstreamFailureKind,
    at: {
      readonly upstream: string;
      readonly operation: string;
      readonly status?: number | undefined;
    },
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${at.upstream}: ${at.operation}: ${detail}`, quoteCause(options));
    this.kind = kind;
    this.upstream = at.upstream;
    this.operation = at.operation;
    this.detail = detail;
    this.status = at.status;
  }

  get isPermanent(): boolean {
    return upstreamFailureKinds[this.kind].permanent;
  }
}

function quoteCause(options: ErrorOptions | undefined): ErrorOptions | undefined {
  const cause = options?.cause;
  return cause instanceof Error ? { cause: quoteError(cause) } : options;
}
