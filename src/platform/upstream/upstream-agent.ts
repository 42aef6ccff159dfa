import { Agent } from 'undici';

export type AgentLimits = {
  readonly connections?: number;
  /** How long an idle connection is kept: shorter than the upstream keeps its end. */
  readonly keepAliveMs?: number;
  /** The longest wait for a connection, if the deadline of the request is later. */
  readonly connectTimeoutMs?: number;
};

/**
 * Connections to an upstream. Its certificate is always verified: Node's default for that is an environment variable.
 */
export function createUpstreamAgent(limits: AgentLimits = {}): Agent {
  // Jobs call seldom: a connection that is kept for the next call would be dead by then.
  const { connections = 4, keepAliveMs = 1_000, connectTimeoutMs = 10_000 } = limits;
  return new Agent({
    connections,
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    connect: { rejectUnauthorized: true, timeout: connectTimeoutMs },
  });
}
