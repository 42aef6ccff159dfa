import { Agent } from 'undici';

/**
 * Connections to an upstream. Its certificate is always verified: Node's default for that is an environment variable.
 */
export function createUpstreamAgent(limits: {
  readonly connections: number;
  /** Milliseconds for which an idle connection is kept: shorter than the upstream keeps its end. */
  readonly keepAliveMs?: number;
  readonly connectTimeoutMs?: number;
}): Agent {
  const { connections, keepAliveMs: keepAliveTimeout, connectTimeoutMs: timeout } = limits;
  return new Agent({
    connections,
    allowH2: false,
    ...(keepAliveTimeout === undefined ? {} : { keepAliveTimeout }),
    connect: { rejectUnauthorized: true, ...(timeout === undefined ? {} : { timeout }) },
  });
}
