/**
 * The path of PUBLIC_URL (rule O7), such as `/vatfx`, or empty for none. The routes are without it; a proxy may cut it off
 * or not. Header fields of proxies, such as `X-Forwarded-Prefix`, are not read, because callers can send them as well.
 */
export type PublicPath = string;

/** The target of a request as the routes have it: without the path, which is removed once. */
export function withoutPath(target: string, path: PublicPath): string {
  if (path === '') return target;
  // A target may be an absolute URL (RFC 9112 §3.2.2).
  const own = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  if (!own.startsWith(path)) return target;
  const rest = own.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : target;
}

/** The value of `Location` or `Link` with the path in front of the routes that it names. */
export function withPath(name: LinkingField, value: string, path: PublicPath): string {
  return name === 'location' ? path + value : value.replaceAll('</', `<${path}/`);
}

/** The header fields that name routes. */
export const linkingFields = ['link', 'location'] as const;
type LinkingField = (typeof linkingFields)[number];
