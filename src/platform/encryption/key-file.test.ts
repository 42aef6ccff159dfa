import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startThread } from '../../../test/support/start-thread.ts';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import { loadSecretKey } from './key-file.ts';

const hex = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** The URL of a database in an empty folder, and the path of its key file. */
function emptyPlace(): { readonly databaseUrl: string; readonly keyFile: string } {
  const database = join(temporaryFolder(), 'vatfx.db');
  return { databaseUrl: `file:${database}`, keyFile: `${database}.secret-key` };
}

describe('loadSecretKey (operator.md, SECRET_KEY)', () => {
  it.each(['postgres://user:password@db/vatfx', 'postgresql://db/vatfx'])(
    'reports that PostgreSQL requires a key, and how to make one: %s',
    (databaseUrl) => {
      expect(() => loadSecretKey({ configured: undefined, databaseUrl })).toThrow(
        /^SECRET_KEY is required with PostgreSQL, the same for every process: expected 32 bytes as 64 hex digits or as base64; make one with: openssl rand -hex 32$/,
      );
    },
  );

  it('makes a key once if none is configured; only its owner can read it', () => {
    const { databaseUrl, keyFile } = emptyPlace();

    const made = loadSecretKey({ configured: undefined, databaseUrl });
    const again = loadSecretKey({ configured: undefined, databaseUrl });

    expect(made).toHaveLength(32);
    expect(again).toEqual(made);
    expect(readFileSync(keyFile, 'utf8')).toBe(`${made.toString('hex')}\n`);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  });

  it('gives processes that start at the same time the same key', { timeout: 60_000 }, async () => {
    const module = join(import.meta.dirname, 'key-file.ts');
    const threads = Array.from({ length: 4 }, () =>
      startThread(
        `const { loadSecretKey } = await import(data.module);
         tell('ready');
         for (;;) {
           const databaseUrl = await hear();
           tell(loadSecretKey({ configured: undefined, databaseUrl }).toString('hex'));
         }`,
        { module },
      ),
    );
    const hearAll = async () => Promise.all(threads.map(async (thread) => thread.hear()));
    await hearAll();

    const keys: { readonly loaded: readonly unknown[]; readonly stored: string }[] = [];
    for (let round = 0; round < 50; round += 1) {
      const { databaseUrl, keyFile } = emptyPlace();
      for (const thread of threads) thread.tell(databaseUrl);
      const loaded = await hearAll();
      keys.push({ loaded, stored: readFileSync(keyFile, 'utf8').trim() });
    }

    expect(keys).toEqual(keys.map(({ stored }) => ({ stored, loaded: threads.map(() => stored) })));
  });

  it.each([
    ['nothing', ''],
    ['half a key', `${hex.slice(32)}\n`],
    ['something else', 'not a key'],
  ])('refuses a file with %s, names it, and leaves it as it is', (_, text) => {
    const { databaseUrl, keyFile } = emptyPlace();
    writeFileSync(keyFile, text);

    expect(() => loadSecretKey({ configured: undefined, databaseUrl })).toThrow(
      `SECRET_KEY: ${keyFile} does not hold a key; bring it back from a backup or set SECRET_KEY. ` +
        'If the key is lost, delete the file, and create again what has stored secrets, such as subscriptions',
    );
    expect(readFileSync(keyFile, 'utf8')).toBe(text);
  });
});
