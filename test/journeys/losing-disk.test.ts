import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { reportFigure } from '../support/proof.ts';
import type { TestService } from '../support/start-service.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { answerMs, EveryEndpoint, type GroupAnswers, whole } from './support/endpoint-groups.ts';
import { eventually } from '../support/eventually.ts';
import { becomes, startToLose } from './support/losing-world.ts';
import { letTimePass } from './support/let-time-pass.ts';
import { readFacts } from './support/stored-facts.ts';

const away = '503 temporarily unavailable, Retry-After';
/** Answers without a writable file: those of every route that only reads. */
const withoutWriting: GroupAnswers = { ...whole, 'POST /webhooks': away };
const refusing: GroupAnswers = { ...withoutWriting, '/ready': '200 degraded' };

const refusal = (reason: string): string => `"the database refuses writes: ${reason}"`;

describe.skipIf(isPostgresql)(
  'a disk that cannot be written, with SQLite (reliability R26)',
  () => {
    it('that is read-only: all routes but those that write are answered', async () => {
      const service = await startToLose(undefined);
      const every = await EveryEndpoint.prepare(service);

      await sql`pragma query_only = on`.execute(service.core.db);
      await becomes(service, refusal('its file is read-only'));
      const during = await every.sendRequest();
      await sql`pragma query_only = off`.execute(service.core.db);
      await becomes(service, '"ready"');

      reportFigure('R26', `read-only disk: ${every.describe()}`);
      expect(during).toEqual(refusing);
      expect(every.longestMs).toBeLessThan(answerMs);
      expect(await every.sendRequest()).toEqual(whole);
    });

    it('with a file that another process has locked: all routes but those that write are answered', async () => {
      const service = await startToLose(undefined);
      const every = await EveryEndpoint.prepare(service);
      const other = await openDatabase(service.config.databaseUrl);
      onTestFinished(async () => other.destroy());

      const during = await other.transaction().execute(async () => every.sendRequest());

      reportFigure('R26', `locked file: ${every.describe()}`);
      expect(during).toEqual(withoutWriting);
      expect(every.longestMs).toBeLessThan(answerMs);
      expect(await every.sendRequest()).toEqual(whole);
    });

    it.skipIf(!canMount())(
      'that is full: all routes but those that write are answered, and waiting data is written later',
      async () => {
        const disk = smallDisk();
        const passed = letTimePass();
        const service = await startToLose(undefined, { databaseUrl: `file:${disk}/vatfx.db` });
        const every = await EveryEndpoint.prepare(service);

        const free = fill(disk);
        await every.sendRequest(['POST /webhooks']);
        await becomes(service, refusal('there is no space left on its disk'));
        const during = await every.sendRequest();
        // The ticker logs the error and tries again.
        const job = service.liveAt('2026-11-23T16:00:00Z');
        await expect(job).rejects.toThrow('no space left on');
        const unchanged = await service.get('/rates');
        const ready = await service.sendToOps('/ready');
        const stored = await readFacts(service.core.db);
        free();
        await service.liveAt('2026-11-23T17:30:00Z');
        const runs = (await service.core.runs.list(100)).filter(
          (run) => run.startedAt > '2026-11-21',
        );
        const checked = await integrity(service);

        reportFigure('R26', `full disk: ${every.describe()}`);
        const published = runs.filter(({ outcome }) => outcome === 'published').length;
        const answered = Object.values(during).filter((answer) => answer !== away).length;
        reportFigure(
          'R3',
          `a disk of 8 MB filled to its end: the jobs failed, ${answered} of ${Object.keys(during).length} kinds of ` +
            `requests were answered as ever, ${published} of ${runs.length} runs published when space returned, ` +
            `integrity_check says ${String(checked)}`,
        );
        expect(during).toEqual(refusing);
        expect(every.longestMs).toBeLessThan(answerMs);
        expect(unchanged.text).toContain('"version":"2026-11-20"');
        expect([ready.status, ready.text]).toEqual([200, expect.stringContaining('degraded')]);
        expect(stored.versions).toEqual(['2026-11-19', '2026-11-20']);
        expect((await service.get('/rates')).text).toContain('"version":"2026-11-23"');
        // The days of the weekend were missed, too.
        const recorded = runs.map(({ job, version, outcome }) => `${job} ${version} ${outcome}`);
        expect(recorded.sort()).toEqual([
          'fx 2026-11-23 published',
          ...['21', '22', '23'].map((day) => `rates 2026-11-${day} published`),
        ]);
        expect(checked).toBe('ok');
        await eventually(
          async () => (await every.sendRequest(['POST /webhooks']))['POST /webhooks'] === '201',
        );
        passed.by(60_000);
        await becomes(service, '"ready"');
      },
    );
  },
);

/** A file system of a few megabytes in memory. */
function smallDisk(): string {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  mount(folder);
  onTestFinished(() => unmount(folder));
  return folder;
}

/** True if this user may mount: only root may, and in some containers not even root. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-test-'));
  try {
    mount(folder);
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mount(folder: string): void {
  const args = ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder];
  execFileSync('mount', args, { stdio: 'ignore' });
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
}

/** Fills a disk completely; the returned function frees the space again. */
function fill(disk: string): () => void {
  const file = join(disk, 'filling');
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize));
  } catch {
    // Another process was faster; the disk is still full.
  }
  if (!readdirSync(disk).includes('filling')) throw new Error('the disk was not filled');
  return () => rmSync(file);
}

async function integrity({ core }: TestService): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma integrity_check`.execute(core.db);
  return Object.values(rows[0] ?? {})[0];
}
