import { expect, it } from 'vitest';
import { isPending, ManualTimers } from '../../../test/support/manual-timers.ts';
import { NotDoneInTime, resultWithin, withTimeout } from './timers.ts';

const never = new Promise<never>(() => {});
const failed = new Error('failed');

it('withTimeout ends with what comes in time, and leaves no timer', async () => {
  const timers = new ManualTimers();

  expect(await withTimeout(1_000, Promise.resolve('value'), timers)).toBe('value');
  await expect(withTimeout(1_000, Promise.reject(failed), timers)).rejects.toBe(failed);
  expect(timers.pending).toBe(0);
});

it('withTimeout rejects at the end of its time, and leaves no timer', async () => {
  const timers = new ManualTimers();
  const waiting = withTimeout(1_000, never, timers);

  timers.advance(999);
  expect(await isPending(waiting)).toBe(true);
  timers.advance(1);

  await expect(waiting).rejects.toThrow(new NotDoneInTime('not done within 1000 ms'));
  expect(timers.pending).toBe(0);
});

it('resultWithin is undefined at the end of its time, by the timers of the machine', async () => {
  expect(await resultWithin(1_000, Promise.resolve('value'))).toBe('value');
  expect(await resultWithin(1, never)).toBeUndefined();
  await expect(resultWithin(1_000, Promise.reject(failed))).rejects.toBe(failed);
});
