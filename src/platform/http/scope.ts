/**
 * The scopes of a key, in the order in which they are stored and printed.
 *
 * `read`: all `GET` requests outside `/webhooks`. `checks`: stored checks and watches. `webhooks`: every request to
 * `/webhooks` and below it, `GET` included.
 */
export const scopes = ['read', 'checks', 'webhooks'] as const;

export type Scope = (typeof scopes)[number];

/** Reads the names of scopes. Returns each scope once, in the stored order; undefined if a name is no scope, or if there is none. */
export function parseScopes(names: readonly string[]): readonly Scope[] | undefined {
  const found = scopes.filter((scope) => names.includes(scope));
  const isWhole = found.length > 0 && found.length === new Set(names).size;
  return isWhole ? found : undefined;
}
