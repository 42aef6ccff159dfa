import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { writeUse } from '../../src/access/usage/store.ts';
import { addDays, dateIn, isoDate } from '../../src/platform/time/time.ts';
import { eventually } from '../support/eventually.ts';
import { runForJson, type Environment, runCommand } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import {
  createByCommand,
  openKeyDatabase,
  settingsBeside,
  requestStatus,
} from './support/key-commands.ts';
import { setNow } from '../support/sandbox/scripts.ts';

describe('keys use (contract C26)', () => {
  it('lists the charged requests by day, newest first', async () => {
    const { id, env } = await openWithUse(['2026-05-01', 1], ['2026-05-03', 30], ['2026-05-02', 2]);

    const { code, stdout } = await runCommand(
      ['keys', 'use', id, '--from', '2026-01-01', '--to', '2026-12-31'],
      env,
    );

    expect(code).toBe(0);
    expect(stdout).toBe('date        requests\n2026-05-03  30\n2026-05-02  2\n2026-05-01  1\n');
  });

  it.each([
    ['both ends included', '2026-05-02', '2026-05-03', ['2026-05-03', '2026-05-02']],
    ['one day', '2026-05-02', '2026-05-02', ['2026-05-02']],
    ['a range without use', '2026-05-05', '2026-05-09', []],
  ])('accepts a range: %s', async (_what, from, to, dates) => {
    const days = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'];
    const { id, env } = await openWithUse(...days.map((date) => [date, 1] as const));

    const rows = await runForJson(['keys', 'use', id, '--from', from, '--to', to], env);

    expect(rows).toEqual(dates.map((date) => ({ date, requests: 1 })));
  });

  it('shows the last 400 days by default', async () => {
    const today = dateIn('UTC', Date.now());
    const days = [1, 0, -399, -400].map((by) => addDays(today, by));
    const { id, env } = await openWithUse(...days.map((date) => [date, 1] as const));

    const rows = await runForJson<{ date: string }[]>(['keys', 'use', id], env);

    expect(rows.map(({ date }) => date)).toEqual([today, addDays(today, -399)]);
  });

  it('prints a sentence if a key has no use', async () => {
    const { id, env } = await openWithUse();

    const { code, stdout } = await runCommand(['keys', 'use', id], env);

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${id} was charged for no requests in this period.\n`,
    });
  });

  it('includes requests that a running server charged just now', async () => {
    const service = await startService({ at: '2026-05-31T23:59:59.999Z' });
    const { id, key } = await createByCommand(settingsBeside(service));
    const span = ['--from', '2026-05-01', '--to', '2026-06-30'];

    await requestStatus(service, key);
    setNow(service.scenario, '2026-06-01T00:00:00.000Z');
    await requestStatus(service, key);
    await requestStatus(service, key);
    const readUse = async (): Promise<Use> =>
      runForJson(['keys', 'use', id, ...span], settingsBeside(service));
    await eventually(async () => sumRequests(await readUse()) === 3);
    const rows = await readUse();

    expect(rows).toEqual([
      { date: '2026-06-01', requests: 2 },
      { date: '2026-05-31', requests: 1 },
    ]);
  });
});

type Use = readonly { readonly date: string; readonly requests: number }[];

function sumRequests(rows: Use): number {
  return rows.reduce((total, { requests }) => total + requests, 0);
}

/** Stores a key with use on these days, and a second key with other use. */
async function openWithUse(
  ...days: readonly (readonly [date: string, requests: number])[]
): Promise<{ readonly id: string; readonly env: Environment }> {
  const { db, env } = await openKeyDatabase();
  const at = '2026-01-01T00:00:00.000Z';
  const { id } = await createKey(db, { name: 'one', at });
  const other = await createKey(db, { name: 'other', at });
  const uses = days.map(([date, requests]) => ({
    keyId: id,
    useDate: isoDate(date),
    requests,
  }));
  const othersUse = { keyId: other.id, useDate: isoDate('2026-05-02'), requests: 99 };
  await writeUse(db, [...uses, othersUse]);
  return { id, env };
}
