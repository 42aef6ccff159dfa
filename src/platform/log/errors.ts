import { stdSerializers } from 'pino';

/** The code of an error of Node, such as `ENOENT`; undefined for an error without a code, and for other values. */
export function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

type DescribedError = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: unknown;
};

/**
 * Message, stack and code of an error and its causes, for the log. Other properties are left out: libraries put their
 * arguments into errors, `new URL` its `input` and Redis its `command`, and these may hold a password (contract C33).
 */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' };
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack, ...('code' in error ? { code: error.code } : {}) };
}
