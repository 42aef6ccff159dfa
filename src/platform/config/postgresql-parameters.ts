import { certificatesBytesMax, readSmallFile } from '../files/small-file.ts';
import { listParameterProblems, type Parameter, type ParameterTable } from './url-parameters.ts';

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

const anyText: Parameter = { expected: 'a value', isAccepted: (value) => value !== '' };
const pemFile: Parameter = {
  expected: 'the path of a file in PEM form that can be read',
  isAccepted: isPemFile,
};
const ownLimit = 'vatfx sets it by itself';
const ownSchema = 'set it as options=-c%20search_path%3DNAME';
const ownCount = 'DATABASE_CONNECTIONS limits the connections';

/** The parameters of a PostgreSQL URL that the driver `pg` applies, and what to do instead of others. */
const table: ParameterTable = {
  accepted: {
    sslmode: oneOf(sslModes),
    sslrootcert: pemFile,
    sslcert: pemFile,
    sslkey: pemFile,
    sslnegotiation: oneOf(['postgres', 'direct']),
    ssl: oneOf(['true', '1', '0', 'no-verify']),
    uselibpqcompat: oneOf(['true']),
    host: anyText,
    port: { expected: 'a port from 1 to 65535', isAccepted: (value) => isWhole(value, 65_535) },
    user: anyText,
    password: anyText,
    application_name: anyText,
    options: anyText,
    statement_timeout: {
      expected: 'whole milliseconds',
      isAccepted: (value) => isWhole(value, 2 ** 31 - 1),
    },
  },
  instead: {
    tls: 'did you mean sslmode?',
    schema: ownSchema,
    currentschema: ownSchema,
    searchpath: ownSchema,
    connectionlimit: ownCount,
    maxconnections: ownCount,
    maxpoolsize: ownCount,
    poolsize: ownCount,
    max: ownCount,
    pgbouncer: 'remove it: a pooler needs no parameter',
    targetsessionattrs: 'remove it, and name the primary as the host',
    loadbalancehosts: 'remove it, and name the primary as the host',
    hostaddr: 'did you mean host?',
    database: 'the database is the path: postgres://user@host/database',
    dbname: 'the database is the path: postgres://user@host/database',
    channelbinding: 'remove it: sslmode=verify-full verifies the server',
    gssencmode: 'remove it: sslmode=verify-full encrypts the connection',
    sslpassword: 'store the key of sslkey without a password',
    sslca: 'did you mean sslrootcert?',
    sslrootca: 'did you mean sslrootcert?',
    clientencoding: 'remove it: vatfx always uses UTF8',
    charset: 'remove it: vatfx always uses UTF8',
    fallbackapplicationname: 'did you mean application_name?',
    connecttimeout: ownLimit,
    querytimeout: ownLimit,
    locktimeout: ownLimit,
    idleintransactionsessiontimeout: ownLimit,
    keepalives: ownLimit,
    keepalivesidle: ownLimit,
    tcpusertimeout: ownLimit,
  },
};

/** The problems of a URL's parameters, each to be read after the name of the setting. None of them has a value. */
export function listPostgresqlProblems(url: URL): readonly string[] {
  const problems = listParameterProblems(url, table);
  return problems.length > 0 ? problems : combinations.flatMap((check) => check(url) ?? []);
}

type Check = (url: URL) => string | undefined;

/** Parameters that the driver ignores, or fails with, because of another part of the URL. */
const combinations: readonly Check[] = [
  ...(
    [
      ['host', 'hostname'],
      ['port', 'port'],
      ['user', 'username'],
      ['password', 'password'],
    ] as const
  ).map<Check>(([parameter, part]) => (url) => {
    const isTwice = url[part] !== '' && url.searchParams.has(parameter);
    return isTwice ? `names the ${parameter} twice, expected once` : undefined;
  }),
  ({ searchParams: given }) =>
    given.has('ssl') && (given.has('sslmode') || listFiles(given).length > 0)
      ? 'has the parameter ssl, which has no effect beside sslmode and the files of certificates'
      : undefined,
  ({ searchParams: given }) => {
    const mode = given.get('sslmode') ?? '';
    const [file] = listFiles(given);
    if (file === undefined) return undefined;
    if (mode === 'disable')
      return `has the parameter ${file}, which has no effect beside sslmode=disable`;
    return file === 'sslrootcert' && isUnverified(given)
      ? `has the parameter ${file}, which has no effect beside sslmode=${mode}; expected sslmode=verify-full`
      : undefined;
  },
  ({ searchParams: given }) =>
    given.has('sslcert') === given.has('sslkey')
      ? undefined
      : 'has one of the parameters sslcert and sslkey, expected both or none',
  ({ searchParams: given }) => {
    const mode = given.get('sslmode');
    if (!given.has('uselibpqcompat')) return undefined;
    if (mode === null || mode === 'no-verify') {
      return 'has the parameter uselibpqcompat, expected it with a sslmode of libpq';
    }
    return mode === 'verify-ca' && !given.has('sslrootcert')
      ? 'has sslmode=verify-ca in the meaning of libpq, expected sslrootcert with it'
      : undefined;
  },
  ({ searchParams: given }) =>
    isPlain(given) && given.get('sslnegotiation') === 'direct'
      ? 'has sslnegotiation=direct without encryption, expected sslmode=verify-full with it'
      : undefined,
  (url) => {
    const { searchParams: given } = url;
    const names = [...given.keys()].filter((name) => name.startsWith('ssl'));
    return isUnixSocket(url) && names.length > 0 && !isPlain(given)
      ? `has the parameter ${String(names[0])} with a Unix socket, which is never encrypted; remove it`
      : undefined;
  },
];

/** Whether the host of a PostgreSQL URL is a folder with the socket of a server on this machine. */
export function isUnixSocket(url: URL): boolean {
  return /^(?:\/|%2f)/i.test(url.searchParams.get('host') ?? url.hostname);
}

function listFiles(given: URLSearchParams): readonly string[] {
  return ['sslrootcert', 'sslcert', 'sslkey'].filter((name) => given.has(name));
}

/** Whether the connection is not encrypted. */
function isPlain(given: URLSearchParams): boolean {
  return given.get('sslmode') === 'disable' || given.get('ssl') === '0';
}

/** Whether the driver accepts every certificate. */
function isUnverified(given: URLSearchParams): boolean {
  const mode = given.get('sslmode');
  return mode === 'no-verify' || (mode === 'prefer' && given.has('uselibpqcompat'));
}

function oneOf(values: readonly string[]): Parameter {
  return { expected: values.join(', '), isAccepted: (value) => values.includes(value) };
}

function isWhole(value: string, most: number): boolean {
  return /^[0-9]{1,10}$/.test(value) && Number(value) >= 1 && Number(value) <= most;
}

/** An empty file would be ignored, so that the authorities of Node decide. */
function isPemFile(path: string): boolean {
  const file = readSmallFile(path, certificatesBytesMax);
  return 'bytes' in file && file.bytes.includes('-----BEGIN ');
}
