import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Environment, runCommand } from '../support/run-cli.ts';
import { serveSocket } from '../support/loopback-server.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';

/** Length of the substrings of a secret that are searched for. */
const partLength = 6;
const hexCanary = 'dEaDbEeFcAfE0123'.repeat(4);
const passwords = ['Xk7wQz2mVp', 'Jt4hRn8bLs', 'Gy5dFc3uWa', 'Zr9eTk6vHo'] as const;
const canaries = [hexCanary, ...passwords];

/** No program listens there, so every driver fails. */
const nowhere = '127.0.0.1:9';
const [first, second, third, fourth] = passwords;

const refused: Environment = {
  SECRET_KEY: hexCanary.slice(0, 62),
  DATABASE_URL: `${first}:${second}@db/vatfx`,
  REDIS_URL: `${third}@cache:6379`,
  TEDB_URL: `https://${first}:${second}@proxy/x`,
  ECB_URL: `https://proxy/x?password=${third}`,
  VIES_URL: `${fourth}://proxy/x`,
  FLAG_CDN_URL: `https://${first}@proxy/x`,
  CORS_ORIGINS: `https://${first}:${second}@shop.example`,
};
const accepted: Environment = {
  SECRET_KEY: hexCanary,
  DATABASE_URL: `postgres://${first}@${nowhere}/vatfx?password=${fourth}`,
  REDIS_URL: `redis://${nowhere}/0?username=${first}&password=${third}`,
};
const withParameters: Environment = {
  DATABASE_URL: `postgres://${first}:${second}@${nowhere}/vatfx?sslpassword=${third}&password=${fourth}&x=1`,
  REDIS_URL: `redis://${first}:${third}@${nowhere}/0?password=${fourth}&y=${second}`,
};
const nowhereElse: Environment = {
  TEDB_URL: `http://${nowhere}/`,
  ECB_URL: `http://${nowhere}/`,
  VIES_URL: `http://${nowhere}/`,
  PORT: '0',
  OPS_PORT: '0',
};
const keyword = `host=db user=${first} password=${second}`;

type Calls = readonly (readonly string[])[];

const configOnly: Calls = [['config']];
const looking: Calls = [['config'], ['config', '--json'], ['doctor'], ['doctor', '--json']];
const all: Calls = [...looking, ['serve'], ['migrate'], ['jobs', 'run', 'rates'], ['backup', 'b']];

describe.skipIf(isPostgresql)('a secret setting (contract C33)', { timeout: 120_000 }, () => {
  it.each<readonly [string, Environment, Calls]>([
    ['that is invalid', refused, [...looking, ['serve']]],
    ['with parameters that have no effect', withParameters, [...looking, ['serve']]],
    ['that is valid', accepted, all],
    ['in keywords of libpq', { DATABASE_URL: keyword, SECRET_KEY: keyword }, configOnly],
    ['instead of the name of its file', { SECRET_KEY_FILE: hexCanary }, configOnly],
  ])('is not printed by any command: one %s', async (_, env, calls) => {
    const printed = await runAll(calls, env);

    expect(printed.join('')).toMatch(/ characters|cannot be used|no effect/);
    expect(findParts(printed)).toEqual([]);
  });

  it('is not printed if it comes from a file', async () => {
    const folder = temporaryFolder();
    const names = ['SECRET_KEY', 'DATABASE_URL', 'REDIS_URL'];
    for (const name of names) writeFileSync(join(folder, name), `${refused[name] ?? ''}\n`);
    const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, join(folder, name)]));

    const printed = await runAll([['config'], ['serve']], files);

    expect(printed.join('')).toContain('SECRET_KEY has 62 characters, expected 32 bytes as 64 hex');
    expect(findParts(printed)).toEqual([]);
  });

  it('is not printed if it is an argument', async () => {
    const address = `postgres://${first}:${second}@${nowhere}/vatfx`;

    const printed = await runAll(
      [
        ['copy', '--to', address],
        ['copy', '--to', keyword],
        ['copy', '--to', `@${address}`],
        ['copy', `--too=${address}`],
        [address],
        ['jobs', 'run', address],
        ['keys', 'revoke', hexCanary, address],
      ],
      {},
    );

    expect(printed.join('')).toContain('(not shown)');
    expect(findParts(printed)).toEqual([]);
  });

  it('is not printed if Redis quotes the command it received', async () => {
    const server = await serveSocket((socket) => {
      socket.on('data', (sent) => {
        const words = sent.toString().split('\r\n').join(' ');
        socket.write(`-ERR unknown command, with args beginning with: ${words}\r\n`);
      });
    });
    const env = { REDIS_URL: `redis://:${first}@${new URL(server).host}` };

    const printed = await runAll([['doctor'], ['doctor', '--json']], env);

    expect(printed.join('')).toContain('redis');
    expect(findParts(printed)).toEqual([]);
  });
});

async function runAll(calls: Calls, env: Environment): Promise<readonly string[]> {
  return Promise.all(
    calls.map(async (args) => {
      const { stdout, stderr } = await runCommand(args, { ...nowhereElse, ...env });
      return stdout + stderr;
    }),
  );
}

/** Parts of canaries that occur in the texts. */
function findParts(texts: readonly string[]): readonly string[] {
  const parts = canaries.flatMap((canary) =>
    Array.from({ length: canary.length - partLength + 1 }, (_, at) =>
      canary.slice(at, at + partLength),
    ),
  );
  return parts.filter((part) => texts.some((text) => text.includes(part)));
}
