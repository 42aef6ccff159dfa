import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainStartFailure } from '../../src/platform/database/sqlite/start-failure.ts';
import type { RunningVatfx } from '../journeys/support/run-vatfx.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { PostgresqlServer } from '../support/postgresql-server.ts';
import { findPostgresql } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { canMount, startReadOnly } from './support/mounts.ts';

/** Waits until a server has fetched all data sets; a job that fails ends the wait. */
async function publishes(server: RunningVatfx): Promise<string[]> {
  const jobs = ['rates', 'fx'].map(async (job) => {
    const end = new RegExp(`"job":"${job}".*?"outcome":"(\\w+)".*"msg":"run ended"`);
    return (await server.waitForOutput(end))[1] ?? '';
  });
  return Promise.all(jobs);
}

describe.skipIf(!canMount)('a read-only root without a temporary folder (rule O8)', () => {
  it('is enough with a writable folder for the data: for serve, backup and restore', async () => {
    // With a short history, no statement of SQLite needs a temporary file.
    const { env } = await startUpstreams({ days: 9_000, isEmpty: true });
    const folder = dirname(env['DATABASE_URL']?.slice('file:'.length) ?? '');
    const backup = join(folder, 'backup.db');
    const run = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await startReadOnly(args, env, folder).ended();
      return `${code} ${stderr}`;
    };

    const server = startReadOnly(['serve'], env, folder);
    const published = await publishes(server);
    const backedUp = await run('backup', backup);
    server.signal('SIGTERM');
    await server.ended();

    expect(published).toEqual(['published', 'published']);
    expect(backedUp).toMatch(/^0 /);
    expect(await run('restore', backup)).toMatch(/^0 /);
  });

  it.skipIf(findPostgresql() === undefined)('is enough with PostgreSQL', async () => {
    const { env } = await startUpstreams();
    const postgresql = await PostgresqlServer.start();
    onTestFinished(async () => postgresql.stop());

    const server = startReadOnly(['serve'], {
      ...env,
      DATABASE_URL: postgresql.url,
      SECRET_KEY: '5e'.repeat(32),
    });

    expect(await publishes(server)).toEqual(['published', 'published']);
  });

  it('without that folder stops the start, and the start names it', async () => {
    const folder = temporaryFolder();
    const settings = { DATABASE_URL: `file:${folder}/vatfx.db` };

    const { code, stderr } = await startReadOnly(['serve'], settings).ended();

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        `error: database: there is none yet at ${folder}/vatfx.db, and ${folder} cannot be written; ` +
        'let the user that vatfx runs as write it, or set DATABASE_URL\n',
    });
  });
});

describe('explainStartFailure (rule O8)', () => {
  it.each([
    ['SQLITE_IOERR_SHMMAP', 5386, /put it on a local disk$/],
    ['SQLITE_IOERR_WRITE', 778, /in \/data failed; check the disk/],
    ['SQLITE_READONLY', 8, /is read-only; let the user that vatfx runs as write \/data$/],
    ['SQLITE_CANTOPEN', 14, /cannot make or open a file beside it; .* every file in \/data$/],
  ])('says what to do after %s', (_, errcode, sentence) => {
    const error = Object.assign(new Error('disk I/O error'), { errcode });

    expect(explainStartFailure(error, '/data/vatfx.db')).toMatchObject({
      message: expect.stringMatching(sentence),
      cause: error,
    });
  });
});
