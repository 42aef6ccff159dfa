import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../platform/config/options.ts';
import { embeddedFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { hostOf } from '../../platform/http/network.ts';
import { type Finding, ok, warning } from './finding.ts';

type Urls = Pick<Config, 'databaseUrl' | 'redisUrl'>;

type Connection = {
  readonly check: string;
  readonly host: string;
  readonly encryption: 'verified' | 'unverified' | 'none';
  /** What an operator does for an encrypted connection. */
  readonly advice: string;
};

/** Says whether the connections to PostgreSQL and Redis are encrypted; nothing about those that are not configured. */
export async function checkEncryption(config: Urls): Promise<readonly Finding[]> {
  const connections = [await findPostgresql(config), findRedis(config)];
  const findings = await Promise.all(
    connections.map(async (one) => (one === undefined ? [] : describe(one))),
  );
  return findings.flat();
}

async function findPostgresql({ databaseUrl }: Urls): Promise<Connection | undefined> {
  const url = databaseUrl.reveal();
  if (embeddedFileOf(url) !== undefined) return undefined;
  const { describeConnection } = await import('../../platform/database/postgresql/encryption.ts');
  return {
    ...describeConnection(url),
    check: 'database tls',
    advice:
      'add sslmode=verify-full to DATABASE_URL, and sslrootcert for a certificate authority of your own',
  };
}

function findRedis({ redisUrl }: Urls): Connection | undefined {
  if (redisUrl === undefined) return undefined;
  const url = new URL(redisUrl.reveal());
  return {
    check: 'redis tls',
    host: hostOf(url),
    encryption: url.protocol === 'rediss:' ? 'verified' : 'none',
    advice: 'turn on TLS in Redis and set REDIS_URL to a rediss:// address',
  };
}

async function describe(connection: Connection): Promise<Finding | readonly []> {
  const { check, host, encryption, advice } = connection;
  if (encryption === 'verified') return ok(check, 'encrypted, with a verified certificate');
  if (encryption === 'unverified') {
    return warning(check, 'encrypted, but every certificate is accepted', advice);
  }
  if (host.startsWith('/')) return ok(check, 'not encrypted, through a Unix socket');
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const [address, kind] = addresses
    .map((found) => [found.address, kindOf(found.address)] as const)
    .toSorted(([, a], [, b]) => kinds.indexOf(a) - kinds.indexOf(b))
    .at(-1) ?? ['', undefined];
  // The check of the connection reports a name that does not exist.
  if (kind === undefined) return [];
  if (kind === 'loopback') return ok(check, 'not encrypted, on this machine');
  return kind === 'private'
    ? ok(check, `not encrypted, to the private address ${address}`)
    : warning(check, `not encrypted, to the public address ${address}`, advice);
}

const kinds = ['loopback', 'private', 'public'] as const;

function kindOf(address: string): (typeof kinds)[number] {
  const range = ipaddr.process(address).range();
  if (range === 'loopback') return 'loopback';
  return ['private', 'uniqueLocal', 'linkLocal'].includes(range) ? 'private' : 'public';
}
