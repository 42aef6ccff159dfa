import { describe, expect, it } from 'vitest';
import { isPending, ManualTimers } from '../../test/support/manual-timers.ts';
import { NotDoneInTime, resultWithin, withTimeout } from './with-timeout.ts';

describe('withTimeout', () => {
  it('returns a value that comes in time, and leaves no timer', async () => {
    const timers = new ManualTimers();

    expect(await withTimeout(1_000, Promise.resolve('value'), timers)).toBe('value');
    expect(timers.pending).toBe(0);
  });

  it('rejects with an error that comes in time, and leaves no timer', async () => {
    const timers = new ManualTimers();
    const error = new Error('failed');

    await expect(withTimeout(1_000, Promise.reject(error), timers)).rejects.toBe(error);
    expect(timers.pending).toBe(0);
  });

  it('rejects at the end of its time, and leaves no timer', async () => {
    const timers = new ManualTimers();
    const waiting = withTimeout(1_000, new Promise(() => {}), timers);

    timers.advance(999);
    expect(await isPending(waiting)).toBe(true);
    timers.advance(1);

    await expect(waiting).rejects.toThrow(new NotDoneInTime('not done within 1000 ms'));
    expect(timers.pending).toBe(0);
  });

  it('uses the timers of the machine by default', async () => {
    await expect(withTimeout(1, new Promise(() => {}))).rejects.toBeInstanceOf(NotDoneInTime);
  });
});

describe('resultWithin', () => {
  it('returns a value that comes in time', async () => {
    expect(await resultWithin(1_000, Promise.resolve('value'))).toBe('value');
  });

  it('is undefined at the end of its time', async () => {
    expect(await resultWithin(1, new Promise(() => {}))).toBeUndefined();
  });

  it('rejects with an error that comes in time', async () => {
    const error = new Error('failed');

    await expect(resultWithin(1_000, Promise.reject(error))).rejects.toBe(error);
  });
});
