import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import { ConfigError, readConfig } from './config.ts';
import { options } from './options.ts';

/** All problems of these settings. */
function problemsOf(environment: Readonly<Record<string, string>>, dotenv = ''): readonly string[] {
  try {
    readConfig(environment, dotenv);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function bindSocket(path: string): void {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
}

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'secret');
  writeFileSync(path, text);
  return path;
}

describe('readConfig (operator interface, environment)', () => {
  it('reports the source of each value; the environment wins over .env, and an empty one is not set', () => {
    const { config, sources } = readConfig(
      { PORT: '1', HOST: '', OPS_PORT: '' },
      'PORT=2\nOPS_PORT=3\n# no\nHOST=',
    );

    expect(config).toMatchObject({ port: 1, opsPort: 3 });
    expect(sources).toMatchObject({ port: 'environment', opsPort: '.env', host: 'default' });
  });

  it('reports all problems together, each with the name, the value or its length, and the expectation', () => {
    const given = { PORT: '70000', JOBS: 'yes', TEDB_URL: 'ftp://x', GATE: 'off' };

    expect(problemsOf(given, 'OPS_PORT=abc')).toEqual([
      'PORT is "70000", expected a port from 0 to 65535 (0 takes a free one)',
      'OPS_PORT is "abc", expected a port from 0 to 65535 (0 takes a free one)',
      'TEDB_URL has 7 characters, expected an http:// or https:// address, without user name, password, query and fragment',
      'GATE is "off", expected `hold` or `warn`',
      'JOBS is "yes", expected `on` or `off`',
    ]);
    expect(() => readConfig({ PORT: 'a', JOBS: 'b' }, '')).toThrow(
      /^configuration: PORT .*; JOBS /,
    );
  });

  it.each([
    ['one address', { PORT: '80', OPS_PORT: '80' }, ['PORT and OPS_PORT are both 80']],
    ['two addresses', { PORT: '80', OPS_PORT: '80', OPS_HOST: '10.0.0.1' }, []],
    ['free ports', { PORT: '0', OPS_PORT: '0' }, []],
  ])('checks that the ports do not collide on %s', (_, given, expected) => {
    const problems = problemsOf(given);

    expect(problems).toHaveLength(expected.length);
    for (const [at, text] of expected.entries()) expect(problems[at]).toContain(text);
  });

  it('refuses an environment in which certificates are not verified', () => {
    const problems = problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0', JOBS: 'yes' });

    expect(problems).toEqual([
      'JOBS is "yes", expected `on` or `off`',
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED is 0, which turns off the verification/),
    ]);
    expect(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
  });
});

describe('the settings of proxies (rule O2)', () => {
  it('are read in lower case as well, which wins and is named as the source', () => {
    const given = {
      HTTPS_PROXY: 'http://upper:1',
      https_proxy: 'me:hunter2@lower:1',
      no_proxy: '',
    };

    const { config, sources, warnings } = readConfig(given, 'HTTP_PROXY=x:1\nNO_PROXY=a,b');

    expect(config.httpsProxy?.reveal()).toBe('http://me:hunter2@lower:1');
    expect([config.httpsProxy, config.httpProxy, config.noProxy].map(String)).toEqual([
      'http://lower:1',
      'http://x:1',
      'a,b',
    ]);
    expect(sources).toMatchObject({
      httpsProxy: 'environment (https_proxy)',
      httpProxy: '.env',
      noProxy: '.env',
    });
    expect(warnings).toEqual([]);
  });

  it('are read from files as other secrets', () => {
    const { config } = readConfig({ HTTPS_PROXY_FILE: fileWith('http://me:pw@proxy:3128\n') }, '');

    expect(config.httpsProxy?.reveal()).toBe('http://me:pw@proxy:3128');
  });

  it.each([
    [{ ALL_PROXY: 'x' }, ['ALL_PROXY is not a setting; set HTTPS_PROXY and HTTP_PROXY']],
    [{ all_proxy: 'socks5://x', https_proxy: 'http://x' }, []],
    [{ FTP_PROXY: 'x', ftp_proxy: 'x', NODE_USE_ENV_PROXY: '1' }, []],
    [{ HTTPS_PROXI: 'x' }, ['HTTPS_PROXI is not a setting; did you mean HTTPS_PROXY?']],
  ])('have a warning only if nothing reads them: %j', (given, warnings) => {
    expect(readConfig(given, '').warnings).toEqual(warnings);
  });
});

describe('NAME_FILE', () => {
  it('reads a secret from a file, without its blank edges', () => {
    const path = fileWith('file:/srv/vatfx.db\n');

    const { config, sources } = readConfig({ DATABASE_URL_FILE: path }, '');

    expect(config.databaseUrl.reveal()).toBe('file:/srv/vatfx.db');
    expect(sources.databaseUrl).toBe(`file ${path}`);
  });

  it('is read only for settings that may hold a password', () => {
    const { config, warnings } = readConfig({ TEDB_URL_FILE: fileWith('http://x/') }, '');

    expect(config.tedbUrl).toBe(options.tedbUrl.default);
    expect(warnings).toEqual(['TEDB_URL_FILE is not a setting of this version']);
  });

  it('is refused if the setting itself is set too', () => {
    const path = fileWith('file:b.db');

    expect(problemsOf({ DATABASE_URL: 'file:a.db', DATABASE_URL_FILE: path })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both set, expected one of them',
    ]);
  });

  it('skips a byte order mark', () => {
    const { config } = readConfig({ DATABASE_URL_FILE: fileWith('\uFEFFfile:a.db\r\n') }, '');

    expect(config.databaseUrl.reveal()).toBe('file:a.db');
  });

  it.each<readonly [string, (path: string) => void, string]>([
    ['is not there', () => {}, 'a file that can be read; it does not exist'],
    ['is a folder', (path) => mkdirSync(path), 'a file that can be read; it is a folder'],
    ['is a FIFO', (path) => execFileSync('mkfifo', [path]), 'can be read; it is a FIFO'],
    ['is a device', (path) => symlinkSync('/dev/zero', path), 'can be read; it is a device'],
    ['is a socket', bindSocket, 'can be read; it is a socket or a device'],
    [
      'is larger than 64 KB',
      (path) => writeFileSync(path, '5e'.repeat(32).padEnd(65_537)),
      'can be read; it has more than 64 KB',
    ],
    ['is empty', (path) => writeFileSync(path, ''), 'a file with the secret; it is empty'],
    ['is white space', (path) => writeFileSync(path, '\uFEFF \r\n'), 'the secret; it is empty'],
    [
      'is no UTF-8 text',
      (path) => writeFileSync(path, Buffer.from([0x5e, 0xff])),
      'a file of UTF-8 text; it is none',
    ],
  ])('is reported with the other problems if the file %s', (_, make, expected) => {
    const path = join(temporaryFolder(), 'secret');
    make(path);

    const problems = problemsOf({ SECRET_KEY_FILE: path, OPS_PORT: 'x' });

    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain(
      `SECRET_KEY_FILE has ${path.length} characters, expected the path of `,
    );
    expect(problems.join()).toContain(expected);
    expect(problems.join()).not.toContain(path);
  });
});

describe('secrets (contract C33)', () => {
  it.each([
    [
      'a key of one digit too few',
      'SECRET_KEY',
      'c0ffee5ecre7'.repeat(5),
      'expected 32 bytes as 64 hex',
    ],
    ['a key in another alphabet', 'SECRET_KEY', 'hunter2!', 'expected 32 bytes as 64 hex digits'],
    ['base64 of a key that has bits too many', 'SECRET_KEY', 'B'.repeat(43), 'expected 32 bytes'],
    ['a database without a protocol', 'DATABASE_URL', 'user:hunter2@host/db', 'expected `file:`'],
    ['a database of another kind', 'DATABASE_URL', 'mysql://u:hunter2@host/db', 'expected `file:`'],
    ['key words of libpq', 'DATABASE_URL', 'host=db password=hunter2', 'expected `file:`'],
    ['a password with an unescaped /', 'DATABASE_URL', 'postgres://u:hun/ter2@h/d', '/ as %2F'],
    ['a password with an unescaped #', 'DATABASE_URL', 'postgres://u:7#ter2@h/d', '# as %23'],
    ['Redis without a protocol', 'REDIS_URL', 'hunter3@x:6379', 'a `redis://` or'],
    [
      'Redis with another protocol',
      'REDIS_URL',
      'http://cache?password=hunter3',
      'a `redis://` or',
    ],
    [
      'an upstream with a password',
      'TEDB_URL',
      'https://user:hunter2@proxy/x',
      'without user name',
    ],
    ['an upstream with a query', 'VIES_URL', 'https://proxy/x?key=hunter2', 'query'],
    ['a folder with a user', 'ECB_URL', 'https://hunter2@proxy/x', 'without user name'],
    ['a proxy of another kind', 'HTTPS_PROXY', 'socks5://me:hunter2@proxy:1080', 'an `http://` or'],
    ['a proxy without a host', 'HTTP_PROXY', 'http://me:hunter2@', 'an `http://` or'],
    ['a password of a proxy with a /', 'WEBHOOK_PROXY', 'http://me:hun/ter2@proxy:1', '/ as %2F'],
    ['a password of a proxy with a %', 'HTTPS_PROXY', 'me:hun%ter2@proxy:1', '% as %25'],
    ['a proxy with TLS and an address', 'HTTPS_PROXY', 'https://me:hunter2@10.0.0.1', 'a name'],
    ['a text that is no address', 'FLAG_CDN_URL', 'hunter2', 'an http:// or https:// address'],
    ['origins with a password', 'CORS_ORIGINS', 'https://user:hunter2@shop', 'or origins like'],
  ])('are reported only by their length if they are refused: %s', (_, name, given, expected) => {
    const problems = problemsOf({ [name]: given });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${name} has ${given.length} characters, expected `);
    expect(problems[0]).toContain(expected);
    expect(problems[0]).not.toMatch(/hun|ter[23]|c0ffee|BBB/);
  });
});
