import type { Redis } from 'ioredis';
import { redisScript } from './script.ts';

/** Two keys, as the limits use them: Redis Cluster refuses such a script. */
const probeScript = redisScript(`return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])}`);

/**
 * Runs each command that vatfx uses on keys of its own, in order, and rejects with the first failure. The commands of its
 * scripts are run directly, because Redis does not name a command that it refuses in a script.
 */
export async function tryCommands(redis: Redis): Promise<void> {
  const [key, other] = ['vatfx:probe', 'vatfx:probe:2'];
  await Promise.all([
    // A Redis that is full, or a replica, still answers reads.
    redis.set(key, '1', 'PX', 10_000),
    redis.get(key),
    redis.pttl(key),
    redis.incrby(key, 1),
    redis.pexpire(key, 10_000),
    redis.eval(probeScript.lua, 2, key, other),
    redis.evalsha(probeScript.sha1, 2, key, other),
  ]);
}

/** An error reply of Redis, with the command that this process sent. */
type Reply = Error & {
  readonly command?: { readonly name: string; readonly args: readonly unknown[] };
};

/** Whether Redis refused the database that REDIS_URL names, which does not pass by itself. */
export function isRefusedDatabase(error: unknown): boolean {
  return isSelectFailure(error) && /^(?:ERR|NOPERM)/.test((error as Error).message);
}

/** Whether Redis did not change to the database that REDIS_URL names. The driver would go on with database 0. */
export function isSelectFailure(error: unknown): boolean {
  return commandOf(error) === 'SELECT';
}

/** Whether a command in a script was refused; the reply does not name the command. */
export function isRefusedInScript(error: unknown): boolean {
  return error instanceof Error && /user executing the script can't/.test(error.message);
}

/**
 * The reason of a failure, for an operator. Of an error reply of Redis, only the first word is returned, such as
 * `WRONGPASS`, and what vatfx knows about it: the rest quotes the command, which may hold the password or a VAT number.
 */
export function describeRedisError(error: unknown): string {
  if (error instanceof AggregateError) return describeRedisError(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const isReply = 'command' in error || error.name === 'ReplyError';
  if (!isReply) return error.message;
  const word = /^[A-Z]+/.exec(error.message)?.[0] ?? 'ERR';
  const command = commandOf(error);
  if (isRefusedDatabase(error)) {
    return `Redis refuses the database ${String((error as Reply).command?.args[0])} of REDIS_URL (${word})`;
  }
  if (['MOVED', 'ASK', 'CROSSSLOT', 'CLUSTERDOWN'].includes(word)) {
    return `${word}: Redis Cluster is not supported`;
  }
  if (isRefusedInScript(error))
    return 'NOPERM: the user of REDIS_URL may not run a script of vatfx';
  if (word !== 'NOPERM' || command === undefined) return word;
  return /permissions to run/.test(error.message)
    ? `NOPERM: the user of REDIS_URL may not run ${command}`
    : `NOPERM: the user of REDIS_URL may not use the keys vatfx:* with ${command}`;
}

function commandOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Reply).command?.name.toUpperCase() : undefined;
}

/** The next step of an operator for an error of Redis. */
export function adviseOnRedis(error: unknown): string {
  if (isRefusedDatabase(error)) {
    return (
      'set REDIS_URL to a database below the limit "databases" of the server (16 by default) that its user may SELECT, ' +
      'e.g. redis://host:6379/0'
    );
  }
  return describeRedisError(error).startsWith('NOPERM')
    ? 'give the user the rights that docs/operating.md lists under "Redis"'
    : 'check REDIS_URL and Redis; meanwhile each replica keeps its share of the limits';
}
