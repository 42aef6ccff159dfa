import { Agent, buildConnector, type Dispatcher } from 'undici';
import { skipInterimAnswers } from './interim-answers.ts';
import { readVersion } from '../version.ts';
import { createProxyAgent, type Proxy } from './proxy.ts';

export type AgentLimits = {
  readonly connections?: number;
  /** How long an idle connection is kept: shorter than the upstream keeps its end. */
  readonly keepAliveMs?: number;
  /** The longest wait for a connection, if the deadline of the request is later. */
  readonly connectTimeoutMs?: number;
  /** The proxy through which all requests are sent. */
  readonly proxy?: Proxy | undefined;
};

/**
 * Connections to an upstream. Its certificate is always verified: Node's default for that is an environment variable.
 */
export function createUpstreamAgent(limits: AgentLimits = {}): Dispatcher {
  // Jobs call seldom: a connection that is kept for the next call would be dead by then.
  const { connections = 4, keepAliveMs = 1_000, connectTimeoutMs = 10_000, proxy } = limits;
  if (proxy !== undefined) {
    return createProxyAgent(proxy, { connections, keepAliveMs, connectTimeoutMs });
  }
  const tls = { rejectUnauthorized: true, allowH2: false, timeout: connectTimeoutMs };
  return new Agent({
    connections,
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    connect: skipInterimAnswers(buildConnector(tls)),
  });
}

/**
 * The `User-Agent` of every request to an upstream (contract C34): `vatfx/1.2.3 (mailto:ops@shop.example)`.
 *
 * `contact` is the setting CONTACT, an address or URL of the operator; empty for none.
 */
export function userAgentOf(contact: string): string {
  const product = `vatfx/${readVersion()}`;
  return contact === '' ? product : `${product} (${contact})`;
}
