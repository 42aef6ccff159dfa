/**
 * Headers of an HTML page: `sources` are the directives of its Content-Security-Policy for everything that it may load.
 * Everything else is forbidden: other sources, a base, forms, and frames around it.
 */
export function pageHeaders(sources: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      ...sources,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
