/** The code of an error of Node, such as `ENOENT`; undefined for an error without a code, and for other values. */
export function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
