import type { Target } from '../http/routes/cached-routes.ts';

const pair = /^([A-Za-z]+)=([\w\-.,]*)$/;

/**
 * Splits a request target as the router of the framework does. Undefined if that takes more than splitting: empty
 * segments, and parameters that are given twice or without a value.
 */
export function readTarget(target: string): Target | undefined {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  const segments = path.slice(1).split('/');
  if (segments.includes('')) return undefined;
  const query: Record<string, string> = {};
  if (end === -1) return { segments, query };
  for (const text of target.slice(end + 1).split('&')) {
    const [, name, value] = pair.exec(text) ?? [];
    if (name === undefined || value === undefined || Object.hasOwn(query, name)) return undefined;
    query[name] = value;
  }
  return { segments, query };
}
