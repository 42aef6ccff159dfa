import { isIP } from 'node:net';
import { hostOf, withoutSecrets } from '../http/network.ts';
import { withoutEscapes } from '../values/characters.ts';
import { type Place, refuse, textForm } from '../fields/field.ts';
import { type Described, type Option, optionalText, readList } from './option.ts';
import { listPostgresqlProblems } from './postgresql-parameters.ts';
import { listRedisProblems } from './redis-parameters.ts';
import { Secret } from './secret.ts';

// A refused address is never quoted: a part of it may be a password (contract C33).

/** The address of an upstream. It holds no password, because one with a user name or a query is refused. */
export function httpUrl(option: Described): Option<string> {
  return {
    ...option,
    ...textForm(httpUrlForm, (given) => (isHttpUrl(given) ? given : undefined)),
  };
}

/** The address of a folder; the value has no slash at its end. */
export function folderUrl(option: Described): Option<string> {
  return {
    ...option,
    ...textForm(httpUrlForm, (given) => (isHttpUrl(given) ? given.replace(/\/+$/, '') : undefined)),
  };
}

const httpUrlForm =
  'an http:// or https:// address, without user name, password, query and fragment';

export function originList(option: Described): Option<readonly string[]> {
  const expected = '`*`, or origins like `https://shop.example`, separated by commas';
  return { ...option, ...textForm(expected, (given) => readList(given, isOrigin)) };
}

function isOrigin(given: string): boolean {
  return given === '*' || (isHttpUrl(given) && new URL(given).origin === given);
}

/** A path is shown in full; of a server's address only protocol, host, port and database are shown. */
export function databaseUrl(option: Described): Option<Secret> {
  return {
    ...option,
    expected: '`file:` and a path, or a `postgres://` address',
    secret: true,
    problemsOf: (given) =>
      fileForm.test(given) ? listFileProblems(given) : listServerProblems(given, postgresql),
    read: (given, at) => {
      const text = String(given);
      return fileForm.test(text) ? new Secret(text, text) : readServer(text, at, postgresql);
    },
  };
}

/** Undefined if none is set; only protocol, host, port and number of the database are shown. */
export function redisUrl(option: Described): Option<Secret | undefined> {
  const expected = 'a `redis://` or `rediss://` address';
  const server: Server = {
    protocols: ['redis:', 'rediss:'],
    path: /^(?:\/[0-9]*)?$/,
    mayBeSocket: false,
    listProblems: listRedisProblems,
    expected: `${expected}, e.g. redis://host:6379/0, no Unix socket and no Sentinel; ${escaping}`,
  };
  return {
    ...option,
    ...optionalText(expected, (given, at) => readServer(given, at, server)),
    problemsOf: (given) => listServerProblems(given, server),
    secret: true,
  };
}

/**
 * The address of a proxy, undefined if none is set; user and password are not shown. Without a scheme it is `http://`, as
 * curl reads it.
 */
export function proxyUrl(option: Described): Option<Secret | undefined> {
  const expected = 'an `http://` or `https://` address of a proxy';
  const server: Server = {
    protocols: ['http:', 'https:'],
    path: /^\/?$/,
    mayBeSocket: false,
    listProblems: () => [],
    expected:
      `${expected}, e.g. http://user:password@proxy.example:3128, with https:// a name and not an IP address; ` +
      `${escaping}, % as %25`,
  };
  return {
    ...option,
    ...optionalText(expected, (given, at) => {
      const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
      if (isServer(url, server) && isUsableProxy(new URL(url))) {
        return new Secret(url, withoutSecrets(new URL(url)).replace(/\/$/, ''));
      }
      return refuse(at, server.expected, given);
    }),
    secret: true,
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

const fileForm = /^file:(?!\/\/).+/;

function listFileProblems(given: string): readonly string[] {
  return given.includes('?')
    ? ['has parameters behind the path of its file, which have no effect; remove them']
    : [];
}

type Server = {
  readonly protocols: readonly string[];
  readonly path: RegExp;
  /** Whether `?host=/run/postgresql` may stand for the host. */
  readonly mayBeSocket: boolean;
  readonly listProblems: (url: URL) => readonly string[];
  readonly expected: string;
};

const postgresql: Server = {
  protocols: ['postgres:', 'postgresql:'],
  path: /^/,
  mayBeSocket: true,
  listProblems: listPostgresqlProblems,
  expected:
    '`file:` and a path, e.g. file:./vatfx.db, or postgres://user@host/database; ' + escaping,
};

/** Of the address of a server, only the parts that hold no password are shown. */
function readServer(given: string, at: Place, server: Server): Secret | undefined {
  return isServer(given, server)
    ? new Secret(given, withoutSecrets(new URL(given)))
    : refuse(at, server.expected, given);
}

function isServer(given: string, { protocols, mayBeSocket, path }: Server): boolean {
  // The parser of URLs drops control characters: a file of two lines would be read as one address.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\x00-\x1f]/.test(given) || !URL.canParse(given)) return false;
  const url = new URL(given);
  const hasHost = url.hostname !== '' || (mayBeSocket && url.searchParams.has('host'));
  const isOfKind = protocols.includes(url.protocol) && hasHost;
  return isOfKind && !isSplit(url) && path.test(url.pathname);
}

function listServerProblems(given: string, server: Server): readonly string[] {
  const scheme = /^[a-z+-]+:/i.exec(given)?.[0].toLowerCase() ?? '';
  if (server.protocols.includes(scheme) && /^[^/]*\/\/(?:[^/?#]*@)?[^/?#@]*,/.test(given)) {
    return ['names several hosts, which is not supported; expected one host'];
  }
  return isServer(given, server) ? server.listProblems(new URL(given)) : [];
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
