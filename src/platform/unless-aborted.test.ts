import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

function listenerCount(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

describe('unlessAborted', () => {
  it('returns the value that comes before the abort, and leaves no listener', async () => {
    const { signal } = new AbortController();

    expect(await unlessAborted(signal, Promise.resolve('value'))).toBe('value');
    expect(listenerCount(signal)).toBe(0);
  });

  it('rejects with the error that comes before the abort, and leaves no listener', async () => {
    const { signal } = new AbortController();
    const error = new Error('failed');

    await expect(unlessAborted(signal, Promise.reject(error))).rejects.toBe(error);
    expect(listenerCount(signal)).toBe(0);
  });

  it('rejects with the reason of an abort that comes first, and leaves no listener', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = unlessAborted(signal, new Promise(() => {}));
    expect(listenerCount(signal)).toBe(1);
    const reason = new Error('stopped');

    controller.abort(reason);

    await expect(waiting).rejects.toBe(reason);
    expect(listenerCount(signal)).toBe(0);
  });

  it('rejects with the reason of a signal that is aborted already, and leaves no listener', async () => {
    const reason = new Error('stopped before');
    const signal = AbortSignal.abort(reason);

    await expect(unlessAborted(signal, new Promise(() => {}))).rejects.toBe(reason);
    expect(listenerCount(signal)).toBe(0);
  });

  it('ignores an error that comes after the abort', async () => {
    const controller = new AbortController();
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = unlessAborted(controller.signal, promise);

    controller.abort(new Error('stopped'));
    reject(new Error('too late'));

    await expect(waiting).rejects.toThrow('stopped');
  });
});
