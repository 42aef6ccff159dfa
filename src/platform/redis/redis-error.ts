/**
 * The reason of a failure, for an operator. Of an error sentence of Redis, only its first word is returned, as `WRONGPASS`: such sentences
 * quote the command that was sent, which may hold the password or a VAT number.
 */
export function describeRedisError(error: unknown): string {
  if (error instanceof AggregateError) return describeRedisError(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const isReply = 'command' in error || error.name === 'ReplyError';
  return isReply ? (/^[A-Z]+/.exec(error.message)?.[0] ?? 'ERR') : error.message;
}
