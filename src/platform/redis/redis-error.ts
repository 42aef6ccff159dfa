/**
 * The reason of a failure, for an operator. Of an error reply of Redis, only the first word is returned, such as
 * `WRONGPASS`: the rest quotes the command, which may hold the password or a VAT number.
 */
export function describeRedisError(error: unknown): string {
  if (error instanceof AggregateError) return describeRedisError(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const isReply = 'command' in error || error.name === 'ReplyError';
  return isReply ? (/^[A-Z]+/.exec(error.message)?.[0] ?? 'ERR') : error.message;
}
