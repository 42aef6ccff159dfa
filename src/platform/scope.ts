/**
 * The scopes of a key, in the order in which they are stored and printed.
 *
 * `read`: every look-up, `/usage` and `/status`. `checks`: stored checks and watches. `webhooks`:
 * subscriptions and everything below `/webhooks`, reading them included.
 */
export const scopes = ['read', 'checks', 'webhooks'] as const;

export type Scope = (typeof scopes)[number];

/** Scopes in their own order, each once; undefined if a name is no scope, or there is none. */
export function parseScopes(names: readonly string[]): readonly Scope[] | undefined {
  const found = scopes.filter((scope) => names.includes(scope));
  const isWhole = found.length > 0 && found.length === new Set(names).size;
  return isWhole ? found : undefined;
}
