import { VerifyingClient } from './pool.ts';

/**
 * Where and how the driver connects with a URL. It never falls back to a connection without encryption, so this is known
 * without one; behind a pooler the server could describe only the connection of the pooler.
 */
export function describeConnection(url: string): {
  readonly host: string;
  readonly encryption: 'verified' | 'unverified' | 'none';
} {
  const client = new VerifyingClient({ connectionString: url });
  const { ssl } = (client as unknown as { readonly connection: { readonly ssl: unknown } })
    .connection;
  if (typeof ssl !== 'object' || ssl === null) return { host: client.host, encryption: 'none' };
  const isVerified = 'rejectUnauthorized' in ssl && ssl.rejectUnauthorized === true;
  return { host: client.host, encryption: isVerified ? 'verified' : 'unverified' };
}
