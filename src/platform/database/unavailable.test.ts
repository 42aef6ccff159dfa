import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { toOutage } from './postgresql/errors.ts';
import { DatabaseUnavailableError, isDatabaseUnavailable } from './unavailable.ts';

/** An error that PostgreSQL answers a statement with. */
function answered(code: string): DatabaseError {
  return Object.assign(new DatabaseError('said by the server', 18, 'error'), { code });
}

it.each([
  ['08006', true, 'a connection that broke'],
  ['08004', true, 'a server that refuses connections'],
  ['53300', true, 'too many connections'],
  ['53100', true, 'a disk that is full'],
  ['57P01', true, 'a server that shuts down'],
  ['57P03', true, 'a server that starts'],
  ['25P03', true, 'a transaction that was ended because it was idle'],
  ['25006', true, 'a standby'],
  ['23505', false, 'a row that exists already'],
  ['42601', false, 'a statement that is wrong'],
  ['22021', false, 'text that cannot be stored'],
  ['40P01', false, 'a deadlock'],
])('PostgreSQL’s error %s is an outage: %s (%s)', (code, isOutage) => {
  const error = answered(code);

  expect(isDatabaseUnavailable(toOutage(error))).toBe(isOutage);
  expect(toOutage(error) === error).toBe(!isOutage);
});

it('PostgreSQL’s error 42501, a role that lacks a right, is one as well, and keeps its sentence', () => {
  const error = answered('42501');

  expect([toOutage(error) === error, isDatabaseUnavailable(error)]).toEqual([true, true]);
});

it.each([
  [5, true, 'busy'],
  [517, true, 'busy with a snapshot'],
  [6, true, 'locked'],
  [8, true, 'read-only'],
  [266, true, 'an I/O error while reading'],
  [13, true, 'a full disk'],
  [14, true, 'a file that cannot be opened'],
  [19, false, 'a constraint'],
  [2_067, false, 'a unique constraint'],
  [1, false, 'a statement that is wrong'],
  [26, false, 'a file that is not a database'],
])('SQLite’s error %d is an outage: %s (%s)', (errcode, isOutage) => {
  const error = Object.assign(new Error('said by SQLite'), { errcode });

  expect(isDatabaseUnavailable(error)).toBe(isOutage);
});

it('any other error on the way to PostgreSQL is an outage with its first cause', () => {
  const first = new Error('connect ECONNREFUSED ::1:5432');
  const several = new AggregateError([first, new Error('connect ECONNREFUSED 127.0.0.1:5432')]);

  expect(toOutage(first)).toMatchObject({
    message: 'database: PostgreSQL cannot be used now',
    cause: first,
  });
  expect(toOutage(several)).toMatchObject({ cause: first });
  expect(isDatabaseUnavailable(toOutage('not even an error'))).toBe(true);
});

it('an outage is found as a cause at any depth, and only of errors', () => {
  const lease = new Error('no lease', { cause: new DatabaseUnavailableError('away') });

  expect(isDatabaseUnavailable(new Error('the refresh failed', { cause: lease }))).toBe(true);
  expect([undefined, null, 'away', { errcode: 5 }].some(isDatabaseUnavailable)).toBe(false);
});
