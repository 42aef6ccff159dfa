import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { toOutage } from './postgres-pool.ts';
import { DatabaseUnavailableError, isDatabaseUnavailable } from './unavailable.ts';

/** An error that PostgreSQL answers a statement with. */
function answered(code: string): DatabaseError {
  return Object.assign(new DatabaseError('said by the server', 18, 'error'), { code });
}

function fromSqlite(errcode: number): Error {
  return Object.assign(new Error('said by SQLite'), { errcode });
}

describe('isDatabaseUnavailable', () => {
  it.each([
    ['a connection that broke', '08006'],
    ['a server that rejects connections', '08004'],
    ['too many connections', '53300'],
    ['a disk that is full', '53100'],
    ['a server that shuts down', '57P01'],
    ['a server that crashed', '57P02'],
    ['a server that starts', '57P03'],
    ['a transaction that was ended because it was idle', '25P03'],
    ['a standby', '25006'],
  ])('is true of %s (%s)', (_, code) => {
    expect(isDatabaseUnavailable(toOutage(answered(code)))).toBe(true);
  });

  it.each([
    ['a row that exists already', '23505'],
    ['a statement that is wrong', '42601'],
    ['text that cannot be stored', '22021'],
    ['a deadlock', '40P01'],
  ])('is false of %s (%s), which stays as it is', (_, code) => {
    const error = answered(code);

    expect(toOutage(error)).toBe(error);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it('is true of any other error on the way to PostgreSQL', () => {
    expect(isDatabaseUnavailable(toOutage(new Error('Query read timeout')))).toBe(true);
    expect(isDatabaseUnavailable(toOutage('not even an error'))).toBe(true);
  });

  it.each([
    ['busy', 5],
    ['busy with a snapshot', 517],
    ['locked', 6],
    ['read-only', 8],
    ['an I/O error', 10],
    ['an I/O error while reading', 266],
    ['a full disk', 13],
    ['a file that cannot be opened', 14],
  ])('is true of SQLite that is %s (%i)', (_, errcode) => {
    expect(isDatabaseUnavailable(fromSqlite(errcode))).toBe(true);
  });

  it.each([
    ['a constraint', 19],
    ['a unique constraint', 2_067],
    ['a statement that is wrong', 1],
    ['a file that is not a database', 26],
  ])('is false of %s in SQLite (%i)', (_, errcode) => {
    expect(isDatabaseUnavailable(fromSqlite(errcode))).toBe(false);
  });

  it('is true of an error with such a cause, at any depth', () => {
    const error = new Error('the refresh failed', {
      cause: new Error('no lease', { cause: new DatabaseUnavailableError('away') }),
    });

    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('is false of a value that is not an error', () => {
    expect([undefined, null, 'away', { errcode: 5 }].map(isDatabaseUnavailable)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('toOutage', () => {
  it('keeps the original error as the cause', () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:5432');

    expect(toOutage(cause)).toMatchObject({
      message: 'database: PostgreSQL cannot be used now',
      cause,
    });
  });

  it('keeps the error of the first address if a host name has several', () => {
    const first = new Error('connect ECONNREFUSED ::1:5432');
    const cause = new AggregateError([first, new Error('connect ECONNREFUSED 127.0.0.1:5432')]);

    expect(toOutage(cause)).toMatchObject({ cause: first });
  });
});
