import { DatabaseError } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FullDiskError } from '../files/full-disk.ts';
import { createLog } from '../log/log.ts';
import { DatabaseUnavailableError } from './unavailable.ts';
import { WriteWatch } from './write-watch.ts';

const insert = 'insert into "runs" values ($1)';

function openWatch() {
  const lines: string[] = [];
  return {
    lines,
    writes: new WriteWatch(createLog('info', { write: (line) => lines.push(line) })),
  };
}

/** An error with which PostgreSQL answers a statement. */
const answered = (code: string): Error =>
  Object.assign(new DatabaseError('said by the server', 18, 'error'), { code });

const bySqlite = (errcode: number): Error =>
  Object.assign(new Error('said by SQLite'), { errcode });

/** Moves the elapsed time of this process forward. */
function wait(ms: number): void {
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => later.mockRestore());
}

describe('WriteWatch', () => {
  it.each([
    ['begin isolation level', answered('0A000'), 'it is a standby'],
    [insert, answered('25006'), 'it is a standby, or read-only'],
    [
      'delete from "marks"',
      answered('42501'),
      'the role may not write a table, which doctor names',
    ],
    ['commit', answered('53100'), 'there is no space left on its disk'],
    [
      insert,
      new FullDiskError('no space left on /data', { cause: bySqlite(10) }),
      'there is no space left on its disk',
    ],
    ['update "keys" set', answered('58030'), 'its disk reports errors'],
    ['begin immediate', bySqlite(8), 'its file is read-only'],
    [insert, bySqlite(1_544), 'its file is read-only'],
    [insert, bySqlite(14), 'a file beside it cannot be opened'],
  ])('reports what refuses a write: $0, $2', (statement, cause, reason) => {
    const { writes } = openWatch();

    writes.noteFailure(new DatabaseUnavailableError('wrapped', { cause }), statement);

    expect(writes.refusal).toBe(reason);
  });

  it.each([
    ['a read', 'select 1', answered('42501')],
    ['a statement that is not supported', insert, answered('0A000')],
    ['a row that exists', insert, answered('23505')],
    ['a locked file', 'begin immediate', bySqlite(5)],
    ['an outage', insert, new DatabaseUnavailableError('away', { cause: answered('57P01') })],
  ])('passes over %s', (_, statement, error) => {
    const { writes } = openWatch();

    writes.noteFailure(error, statement);

    expect(writes.refusal).toBeUndefined();
  });

  it('takes any error of a renewal for a refusal, but an outage', () => {
    const { writes } = openWatch();

    writes.noteRenewalFailure(new DatabaseUnavailableError('away'));
    const before = writes.refusal;
    writes.noteRenewalFailure(answered('54000'));

    expect([before, writes.refusal]).toEqual([undefined, 'the log has the error']);
  });

  it('ends a refusal of all writes with a renewal, one of some after a minute without another', () => {
    const { writes, lines } = openWatch();
    writes.noteRenewalFailure(answered('42501'));
    writes.noteFailure(answered('53100'), insert);
    const first = writes.refusal;
    writes.noteRenewal();
    const renewed = writes.refusal;
    writes.noteFailure(answered('53100'), insert);
    writes.noteRenewal();
    const tooEarly = writes.refusal;
    wait(60_000);
    writes.noteRenewal();

    expect([first, renewed, tooEarly, writes.refusal]).toEqual([
      'the role may not write a table, which doctor names',
      undefined,
      'there is no space left on its disk',
      undefined,
    ]);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'database refuses writes',
      'database accepts writes again',
      'database refuses writes',
      'database accepts writes again',
    ]);
  });
});
