import { isIP } from 'node:net';
import { hostOf, withoutSecrets } from '../http/network.ts';
import { withoutEscapes } from '../values/characters.ts';
import { type Described, type Option, optionOf, type Parsed, readList } from './option.ts';
import { listPostgresqlProblems } from './postgresql-parameters.ts';
import { listRedisProblems } from './redis-parameters.ts';
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
      if (/^file:(?!\/\/).+/.test(given)) return parseFile(given);
      return parseServer(given, {
        protocols: ['postgres:', 'postgresql:'],
        path: /^/,
        mayBeSocket: true,
        listProblems: listPostgresqlProblems,
        expected:
          '`file:` and a path, e.g. file:./vatfx.db, or postgres://user@host/database; ' + escaping,
      });
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
      return parseServer(given, {
        protocols: ['redis:', 'rediss:'],
        path: /^(?:\/[0-9]*)?$/,
        mayBeSocket: false,
        listProblems: listRedisProblems,
        expected: `${accepts}, e.g. redis://host:6379/0, no Unix socket and no Sentinel; ${escaping}`,
      });
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
      const parsed = parseServer(url, {
        protocols: ['http:', 'https:'],
        path: /^\/?$/,
        mayBeSocket: false,
        listProblems: () => [],
        expected,
      });
      return !('value' in parsed) || !isUsableProxy(new URL(url))
        ? { expected }
        : { value: new Secret(url, String(parsed.value).replace(/\/$/, '')) };
    },
  };
}

function isUsableProxy(url: URL): boolean {
  const { protocol, username, password, search } = url;
  // Undici sends the host as the server name of TLS, which cannot be an address (RFC 6066 §3).
  if (protocol === 'https:' && isIP(hostOf(url)) !== 0) return false;
  // Undici decodes both.
  return search === '' && withoutEscapes(username + password) !== undefined;
}

const escaping = 'in a password, @ is written as %40, / as %2F, # as %23 and ? as %3F';

function parseFile(given: string): Parsed<Secret> {
  return given.includes('?')
    ? {
        problems: ['has parameters behind the path of its file, which have no effect; remove them'],
      }
    : { value: new Secret(given, given) };
}

type Server = {
  readonly protocols: readonly string[];
  readonly path: RegExp;
  /** Whether `?host=/run/postgresql` may stand for the host. */
  readonly mayBeSocket: boolean;
  readonly listProblems: (url: URL) => readonly string[];
  readonly expected: string;
};

/** Of the address of a server, only the parts that hold no password are shown. */
function parseServer(given: string, server: Server): Parsed<Secret> {
  const { expected } = server;
  // The parser of URLs drops control characters: a file of two lines would be read as one address.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\x00-\x1f]/.test(given)) return { expected };
  const scheme = /^[a-z+-]+:/i.exec(given)?.[0].toLowerCase() ?? '';
  if (server.protocols.includes(scheme) && /^[^/]*\/\/(?:[^/?#]*@)?[^/?#@]*,/.test(given)) {
    return { problems: ['names several hosts, which is not supported; expected one host'] };
  }
  if (!URL.canParse(given)) return { expected };
  const url = new URL(given);
  const hasHost = url.hostname !== '' || (server.mayBeSocket && url.searchParams.has('host'));
  const isServer = server.protocols.includes(url.protocol) && hasHost;
  if (!isServer || isSplit(url) || !server.path.test(url.pathname)) return { expected };
  const problems = server.listProblems(url);
  if (problems.length > 0) return { problems };
  return { value: new Secret(given, withoutSecrets(url)) };
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
