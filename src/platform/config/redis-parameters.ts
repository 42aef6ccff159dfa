import { listParameterProblems, type ParameterTable } from './url-parameters.ts';

const table: ParameterTable = {
  accepted: {
    db: {
      expected: 'the number of a database',
      isAccepted: (value) => /^[0-9]{1,9}$/.test(value),
    },
    family: { expected: '4 or 6', isAccepted: (value) => value === '4' || value === '6' },
    username: { expected: 'a value', isAccepted: (value) => value !== '' },
    password: { expected: 'a value', isAccepted: (value) => value !== '' },
  },
  instead: {
    ssl: 'for TLS the address begins with rediss://',
    tls: 'for TLS the address begins with rediss://',
    sslcertreqs: 'the certificate of rediss:// is always verified',
    database: 'the database is the path: redis://host:6379/0',
    user: 'did you mean username?',
    keyprefix: 'each installation needs a Redis database of its own: redis://host:6379/1',
    path: 'a Unix socket is not supported',
    sentinels: 'Sentinel is not supported',
    cluster: 'Redis Cluster is not supported',
    timeout: 'vatfx sets it by itself',
    connecttimeout: 'vatfx sets it by itself',
    commandtimeout: 'vatfx sets it by itself',
    protocol: 'vatfx sets it by itself',
  },
};

/** The problems of a Redis URL's parameters, each to be read after the name of the setting. None of them has a value. */
export function listRedisProblems(url: URL): readonly string[] {
  const problems = listParameterProblems(url, table);
  if (problems.length > 0) return problems;
  const given = url.searchParams;
  // The driver ignores these parameters if the address itself has a user or a password.
  const hasUser = url.username !== '' || url.password !== '';
  return [
    given.has('db') && /^\/[0-9]/.test(url.pathname)
      ? 'names the database twice, expected once'
      : [],
    hasUser && (given.has('username') || given.has('password'))
      ? 'names user and password in two places, expected redis://user:password@host'
      : [],
  ].flat();
}
