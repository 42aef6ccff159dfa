import { describe, expect, it } from 'vitest';
import { describeError } from './errors.ts';

const given = 'postgres://me:secret@db:x/';

describe('describeError (contract C33)', () => {
  it.each<[string, unknown]>([
    ['an address that does not parse', catchError(() => new URL(given))],
    ['a failed command', Object.assign(new Error('no'), { command: { args: ['secret'] } })],
    [
      'a cause',
      new Error('away', { cause: Object.assign(new Error('no'), { connectionString: given }) }),
    ],
    ['several errors', new AggregateError([Object.assign(new Error('no'), { given })], 'all')],
    ['an object that is no error', { given }],
    ['a text', given],
  ])('leaves out the properties that a library adds: %s', (_, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain('secret');
  });

  it('keeps the message, the stack and the code, with those of the causes', () => {
    const cause = new Error('no connection');
    const error = Object.assign(new Error('away', { cause }), { code: 'ECONNREFUSED' });

    expect(describeError(error)).toEqual({
      type: 'Error',
      message: 'away: no connection',
      stack: expect.stringContaining('caused by: Error: no connection'),
      code: 'ECONNREFUSED',
    });
  });
});

function catchError(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
