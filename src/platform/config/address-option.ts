import { isIP } from 'node:net';
import { type Described, type Option, optionOf, readList } from './option.ts';
import { Secret } from './secret.ts';

// A refused address is never quoted: a part of it may be a password (contract C33).

/** The address of an upstream. It holds no password, because one with a user name or a query is refused. */
export function httpUrl(option: Described): Option<string> {
  return optionOf(option, httpUrlForm, (given) => (isHttpUrl(given) ? given : undefined));
}

/** The address of a folder; the value has no slash at its end. */
export function folderUrl(option: Described): Option<string> {
  return optionOf(option, httpUrlForm, (given) =>
    isHttpUrl(given) ? given.replace(/\/+$/, '') : undefined,
  );
}

const httpUrlForm =
  'an http:// or https:// address, without user name, password, query and fragment';

export function originList(option: Described): Option<readonly string[]> {
  return optionOf(
    option,
    '`*`, or origins like `https://shop.example`, separated by commas',
    (given) => readList(given, isOrigin),
  );
}

function isOrigin(given: string): boolean {
  return given === '*' || (isHttpUrl(given) && new URL(given).origin === given);
}

/** A path is shown in full; of a server's address only protocol, host, port and database are shown. */
export function databaseUrl(option: Described): Option<Secret> {
  return {
    ...option,
    accepts: '`file:` and a path, or a `postgres://` address',
    secret: true,
    parse: (given) => {
      if (/^file:(?!\/\/).+/.test(given)) return { value: new Secret(given, given) };
      const shown = showServer(given, { protocols: ['postgres:', 'postgresql:'], path: /^/ });
      return shown === undefined
        ? {
            expected:
              '`file:` and a path, e.g. file:./vatfx.db, or postgres://user@host/database; ' +
              escaping,
          }
        : { value: new Secret(given, shown) };
    },
  };
}

/** Undefined if none is set; only protocol, host, port and number of the database are shown. */
export function redisUrl(option: Described): Option<Secret | undefined> {
  const accepts = 'a `redis://` or `rediss://` address';
  return {
    ...option,
    accepts,
    secret: true,
    parse: (given) => {
      if (given === '') return { value: undefined };
      const shown = showServer(given, {
        protocols: ['redis:', 'rediss:'],
        path: /^(?:\/[0-9]*)?$/,
      });
      return shown === undefined
        ? { expected: `${accepts}, e.g. redis://host:6379/0; ${escaping}` }
        : { value: new Secret(given, shown) };
    },
  };
}

/**
 * The address of a proxy, undefined if none is set; user and password are not shown. Without a scheme it is `http://`, as
 * curl reads it.
 */
export function proxyUrl(option: Described): Option<Secret | undefined> {
  const accepts = 'an `http://` or `https://` address of a proxy';
  const expected =
    `${accepts}, e.g. http://user:password@proxy.example:3128, with https:// a name and not an IP address; ` +
    `${escaping}, % as %25`;
  return {
    ...option,
    accepts,
    secret: true,
    parse: (given) => {
      if (given === '') return { value: undefined };
      const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
      const shown = showServer(url, { protocols: ['http:', 'https:'], path: /^\/?$/ });
      return shown === undefined || !isUsableProxy(new URL(url))
        ? { expected }
        : { value: new Secret(url, shown.replace(/\/$/, '')) };
    },
  };
}

function isUsableProxy({ protocol, hostname, username, password, search }: URL): boolean {
  // Undici sends the host as the server name of TLS, which cannot be an address (RFC 6066 §3).
  if (protocol === 'https:' && isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return false;
  try {
    // Undici decodes both.
    decodeURIComponent(username + password);
    return search === '';
  } catch {
    return false;
  }
}

const escaping = 'in a password, @ is written as %40, / as %2F, # as %23 and ? as %3F';

/** The parts of a server's address that hold no password; undefined for a text that is no such address. */
function showServer(
  given: string,
  expected: { readonly protocols: readonly string[]; readonly path: RegExp },
): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  // A socket in the file system is given as `?host=/run/postgresql`.
  const hasHost = url.hostname !== '' || url.searchParams.has('host');
  const isServer = expected.protocols.includes(url.protocol) && hasHost;
  if (!isServer || isSplit(url) || !expected.path.test(url.pathname)) return undefined;
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** A `/`, `?` or `#` in a password ends the host, and the rest of the password is read as path, query or fragment. */
function isSplit({ pathname, search, hash }: URL): boolean {
  return hash !== '' || pathname.includes('@') || search.includes('@');
}

function isHttpUrl(given: string): boolean {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) return false;
  const url = new URL(given);
  return url.username + url.password + url.search === '' && !isSplit(url);
}
