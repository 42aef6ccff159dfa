import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import { ConfigError, loadConfig, readConfig, showValue } from './config.ts';
import { options } from './options.ts';

/** What is wrong with these settings, all of it. */
function problemsOf(environment: Readonly<Record<string, string>>, dotenv = ''): readonly string[] {
  try {
    readConfig(environment, dotenv);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'secret');
  writeFileSync(path, text);
  return path;
}

describe('readConfig (operator interface, environment)', () => {
  it('has the documented defaults without any setting', () => {
    const { config, sources, warnings } = readConfig({}, '');

    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      opsHost: '127.0.0.1',
      opsPort: 9080,
      databaseUrl: 'file:./data/vatfx.db',
      tedbUrl: 'https://ec.europa.eu/taxation_customs/tedb/ws/',
      ecbUrl: 'https://www.ecb.europa.eu/stats/eurofxref',
      flagCdnUrl: 'https://flagcdn.com',
      ratesGate: 'hold',
      fxGate: 'hold',
      jobs: true,
      corsOrigins: [],
      logLevel: 'info',
    });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(warnings).toEqual([]);
  });

  it('says of each value where it came from, the environment winning over .env', () => {
    const { config, sources } = readConfig({ PORT: '1' }, 'PORT=2\nOPS_PORT=3\n# a comment\n');

    expect(config).toMatchObject({ port: 1, opsPort: 3 });
    expect(sources).toMatchObject({ port: 'environment', opsPort: '.env', host: 'default' });
  });

  it('takes an empty variable for one that is not set', () => {
    const { config, sources } = readConfig({ PORT: '', HOST: '' }, 'PORT=2\nHOST=');

    expect(config).toMatchObject({ port: 2, host: '127.0.0.1' });
    expect(sources).toMatchObject({ port: '.env', host: 'default' });
  });

  it('reports all problems at once, each with the name, the value and what would do', () => {
    const given = { PORT: '70000', JOBS: 'yes', TEDB_URL: 'ftp://x', RATES_GATE: 'off' };

    expect(problemsOf(given, 'OPS_PORT=abc')).toEqual([
      'PORT is "70000", expected a port from 0 to 65535 (0 takes a free one)',
      'OPS_PORT is "abc", expected a port from 0 to 65535 (0 takes a free one)',
      'TEDB_URL is "ftp://x", expected an http:// or https:// address',
      'RATES_GATE is "off", expected `hold` or `warn`',
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

  it('warns of names that only look like settings, from both places', () => {
    const { warnings } = readConfig({ VATFX_PORT: '1', PATH: '/bin' }, 'FX_GATES=warn');

    expect(warnings).toEqual([
      'VATFX_PORT is not a setting of this version',
      'FX_GATES is not a setting; did you mean FX_GATE?',
    ]);
  });
});

describe('NAME_FILE', () => {
  it('reads a secret from a file, without its blank edges', () => {
    const path = fileWith('file:/srv/vatfx.db\n');

    const { config, sources } = readConfig({ DATABASE_URL_FILE: path }, '');

    expect(config.databaseUrl).toBe('file:/srv/vatfx.db');
    expect(sources.databaseUrl).toBe(`file ${path}`);
  });

  it('wins over .env when it is in the environment', () => {
    const path = fileWith('file:/srv/vatfx.db');

    const { config } = readConfig({ DATABASE_URL_FILE: path }, 'DATABASE_URL=file:other.db');

    expect(config.databaseUrl).toBe('file:/srv/vatfx.db');
  });

  it('is refused beside the setting itself', () => {
    const path = fileWith('file:b.db');

    expect(problemsOf({ DATABASE_URL: 'file:a.db', DATABASE_URL_FILE: path })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both set, expected one of them',
    ]);
  });

  it('is looked at only for settings that may hold a password', () => {
    const { config, warnings } = readConfig({ TEDB_URL_FILE: fileWith('http://x/') }, '');

    expect(config.tedbUrl).toBe(options.tedbUrl.default);
    expect(warnings).toEqual(['TEDB_URL_FILE is not a setting of this version']);
  });

  it.each([
    ['is not there', (folder: string) => join(folder, 'missing')],
    [
      'is a folder',
      (folder: string) => {
        mkdirSync(join(folder, 'secret'));
        return join(folder, 'secret');
      },
    ],
  ])('is one problem among the others when the file %s', (_, make) => {
    const path = make(temporaryFolder());

    expect(problemsOf({ DATABASE_URL_FILE: path, JOBS: 'yes' })).toEqual([
      `DATABASE_URL_FILE is "${path}", expected a file that can be read`,
      'JOBS is "yes", expected `on` or `off`',
    ]);
  });

  it('is refused when the file is empty', () => {
    expect(problemsOf({ DATABASE_URL_FILE: fileWith('\n') })).toEqual([
      'DATABASE_URL is "", expected `file:` and a path, e.g. file:./vatfx.db, or postgres://user@host/database',
    ]);
  });
});

describe('showValue', () => {
  it.each([
    ['a password', 'postgres://me:secret@db/vatfx', 'postgres://me:(hidden)@db/vatfx'],
    ['a password without a user', 'redis://:secret@db', 'redis://:(hidden)@db'],
    ['a password with an @ in it', 'postgres://me:se@cret@db/x', 'postgres://me:(hidden)@db/x'],
    ['a password with a / in it', 'postgres://me:se/cret@db/x', 'postgres://me:(hidden)@db/x'],
    ['a parameter', 'postgres:///x?password=secret', 'postgres:///x?password=(hidden)'],
    [
      'a parameter among others',
      'postgres:///x?host=/run/db&PASSWORD=sec%26ret&user=me',
      'postgres:///x?host=/run/db&PASSWORD=(hidden)&user=me',
    ],
    [
      'both',
      'postgres://me:secret@db/x?password=secret',
      'postgres://me:(hidden)@db/x?password=(hidden)',
    ],
  ])('hides %s', (_, value, shown) => {
    expect(showValue(options.databaseUrl, value)).toBe(shown);
    expect(showValue(options.redisUrl, value)).toBe(shown);
  });

  it.each([
    ['an address without a password', 'postgres://me@db:5432/vatfx'],
    ['a file', 'file:./data/vatfx.db'],
  ])('shows %s as it is', (_, value) => {
    expect(showValue(options.databaseUrl, value)).toBe(value);
  });

  it.each([
    ['a number', options.port, 8080, '8080'],
    ['on', options.jobs, true, 'on'],
    ['off', options.jobs, false, 'off'],
    [
      'a list',
      options.corsOrigins,
      ['https://a.example', 'https://b.example'],
      'https://a.example,https://b.example',
    ],
    ['an empty list', options.corsOrigins, [], ''],
  ])('shows %s as it would be set', (_, option, value, shown) => {
    expect(showValue(option, value)).toBe(shown);
  });

  it('keeps a password out of the report of a problem', () => {
    const [problem] = problemsOf({ DATABASE_URL: 'mysql://me:secret@db/vatfx' });

    expect(problem).toContain('mysql://me:(hidden)@db/vatfx');
    expect(problem).not.toContain('secret');
  });

  it.each([
    ['the database', { DATABASE_URL: 'mysql:///vatfx?password=secret' }],
    ['Redis', { REDIS_URL: 'http://me:secret@cache' }],
    ['Redis, in a parameter', { REDIS_URL: 'http://cache?password=secret' }],
  ])('keeps the password of %s out of it as well', (_, environment) => {
    const [problem = ''] = problemsOf(environment);

    expect(problem).toContain('(hidden)');
    expect(problem).not.toContain('secret');
  });
});

describe('loadConfig', () => {
  const home = process.cwd();
  afterEach(() => process.chdir(home));

  it('reads .env in the working directory', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), 'FLAG_CDN_URL=https://flags.example/\n');
    process.chdir(folder);

    const { config, sources } = loadConfig();

    expect(config.flagCdnUrl).toBe('https://flags.example');
    expect(sources.flagCdnUrl).toBe('.env');
  });

  it('does without one', () => {
    process.chdir(temporaryFolder());

    expect(loadConfig().config.flagCdnUrl).toBe('https://flagcdn.com');
  });

  it('reads the environment of the process', () => {
    process.chdir(temporaryFolder());
    process.env['FLAG_CDN_URL'] = 'https://other.example';
    onTestFinished(() => {
      delete process.env['FLAG_CDN_URL'];
    });

    expect(loadConfig().sources.flagCdnUrl).toBe('environment');
  });
});
