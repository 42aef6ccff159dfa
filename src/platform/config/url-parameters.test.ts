import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import { databaseUrl, redisUrl } from './address-option.ts';
import { readOption } from './config.ts';

const described = { name: 'URL', default: '', means: 'an address' };

/** The problems of an address, which is accepted if there are none. */
function problemsOf(given: string): readonly string[] {
  const option = given.startsWith('redis') ? redisUrl(described) : databaseUrl(described);
  return readOption<unknown>(option, given).problems;
}

const host = 'postgres://db/vatfx';
const cache = 'redis://cache';
const sslFree = ['sslmode=disable', 'sslmode=prefer', 'sslmode=no-verify', 'ssl=0', 'ssl=true'];

describe('parameters of DATABASE_URL and REDIS_URL (rule O5)', () => {
  it.each([
    ...sslFree.map((query) => `${host}?${query}`),
    `${host}?uselibpqcompat=true&sslmode=require`,
    `${host}?sslnegotiation=direct`,
    `${host}?application_name=vatfx-1&statement_timeout=14000&options=-c%20search_path%3Dvat`,
    `${host}?user=me&password=secret`,
    'postgres:///vatfx?host=/run/postgresql&port=5433',
    'postgres://me@%2Frun%2Fpostgresql/vatfx',
    `${cache}?db=3&family=6`,
    `${cache}/3?username=me&password=secret`,
  ])('accepts %s', (given) => {
    expect(problemsOf(given)).toEqual([]);
  });

  it.each([
    [
      `${host}?ssl_mode=hunter2`,
      'has the parameter ssl_mode, which has no effect; did you mean sslmode?',
    ],
    [
      `${host}?sslMode=hunter2`,
      'has the parameter sslMode, which has no effect; did you mean sslmode?',
    ],
    [`${host}?sslmod=hunter2`, 'did you mean sslmode?'],
    [`${host}?tls=hunter2`, 'has the parameter tls, which has no effect; did you mean sslmode?'],
    [`${host}?schema=hunter2`, 'set it as options=-c%20search_path%3DNAME'],
    [`${host}?currentSchema=hunter2`, 'set it as options=-c%20search_path%3DNAME'],
    [`${host}?pgbouncer=hunter2`, 'remove it: a pooler needs no parameter'],
    [`${host}?connection_limit=hunter2`, 'DATABASE_CONNECTIONS limits the connections'],
    [`${host}?target_session_attrs=hunter2`, 'name the primary as the host'],
    [`${host}?channel_binding=hunter2`, 'sslmode=verify-full verifies the server'],
    [
      `${host}?connect_timeout=hunter2`,
      'has the parameter connect_timeout, which has no effect; vatfx sets it by itself',
    ],
    [`${host}?query_timeout=hunter2`, 'vatfx sets it by itself'],
    [`${host}?toString=hunter2`, 'expected one of sslmode, sslrootcert'],
    [
      `${host}?sslmode=hunter2`,
      'has the parameter sslmode with 7 characters, expected disable, prefer',
    ],
    [`${host}?sslmode=`, 'has the parameter sslmode with 0 characters, expected disable'],
    [`${host}?sslmode=disable&sslmode=verify-full`, 'has the parameter sslmode twice'],
    [`${host}?ssl=false`, 'has the parameter ssl with 5 characters, expected true, 1, 0'],
    [`${host}?statement_timeout=5s`, 'expected whole milliseconds'],
    [
      `${host}?sslrootcert=/hunter2.pem`,
      'expected the path of a file in PEM form that can be read',
    ],
    [
      `${host}?ssl=true&sslmode=disable`,
      'has the parameter ssl, which has no effect beside sslmode',
    ],
    [`${host}?uselibpqcompat=true`, 'expected it with a sslmode of libpq'],
    [`${host}?uselibpqcompat=true&sslmode=verify-ca`, 'expected sslrootcert with it'],
    [
      `${host}?sslmode=disable&sslnegotiation=direct`,
      'has sslnegotiation=direct without encryption',
    ],
    [`${host}?host=other`, 'names the host twice'],
    ['postgres://me:hunter2@db/vatfx?password=hunter2', 'names the password twice'],
    ['postgres:///vatfx?host=/run/db&sslmode=require', 'a Unix socket, which is never encrypted'],
    ['postgres://me:hunter2@one,two:5433/vatfx', 'names several hosts, which is not supported'],
    ['postgres://one:5432,two:5432/vatfx', 'names several hosts, which is not supported'],
    ['file:./vatfx.db?mode=hunter2', 'has parameters behind the path of its file'],
    ['postgres://db/vatfx\npostgres://db/hunter2', '`file:` and a path'],
    [`${cache}?tls=hunter2`, 'for TLS the address begins with rediss://'],
    [`${cache}?keyPrefix=hunter2`, 'needs a Redis database of its own'],
    [`${cache}?familly=hunter2`, 'did you mean family?'],
    [`${cache}/3?db=4`, 'names the database twice'],
    ['redis://me:hunter2@cache?password=hunter2', 'names user and password in two places'],
    ['redis://one,two/0', 'names several hosts, which is not supported'],
  ])('refuses %j, without its values', (given, expected) => {
    const problems = problemsOf(given);

    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
    expect(problems[0]).not.toContain('hunter2');
  });

  it('reports all parameters together, and no name that may be a part of a password', () => {
    expect(problemsOf(`${host}?schema=x&tls=y`)).toHaveLength(2);
    expect(problemsOf(`${host}?password=hun&ter2=x&tls=y`)).toEqual([
      expect.stringMatching(/^URL has a parameter, which has no effect; expected one of/),
      'URL has the parameter tls, which has no effect; did you mean sslmode?',
    ]);
  });

  it('refuses files of certificates that the driver would ignore', () => {
    const folder = temporaryFolder();
    const [pem, empty] = [join(folder, 'ca.pem'), join(folder, 'empty.pem')];
    writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n');
    writeFileSync(empty, '');

    expect(problemsOf(`${host}?sslmode=verify-full&sslrootcert=${pem}`)).toEqual([]);
    expect(problemsOf(`${host}?sslrootcert=${empty}`)[0]).toContain('in PEM form');
    expect(problemsOf(`${host}?sslcert=${pem}`)[0]).toContain('expected both or none');
    expect(problemsOf(`${host}?sslmode=no-verify&sslrootcert=${pem}`)[0]).toContain(
      'has no effect beside sslmode=no-verify; expected sslmode=verify-full',
    );
    expect(problemsOf(`${host}?sslmode=disable&sslrootcert=${pem}`)[0]).toContain(
      'sslmode=disable',
    );
  });
});
