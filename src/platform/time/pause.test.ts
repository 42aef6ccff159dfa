import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isPending, ManualTimers } from '../../../test/support/manual-timers.ts';
import { pause } from './timers.ts';

describe('pause', () => {
  it('ends when the time has passed, and leaves no timer and no listener', async () => {
    const timers = new ManualTimers();
    const { signal } = new AbortController();
    const paused = pause(timers, 200, signal);

    timers.advance(199);
    expect(await isPending(paused)).toBe(true);
    timers.advance(1);

    await paused;
    expect([timers.pending, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it.each([
    ['aborted meanwhile', () => new AbortController()],
    ['aborted already', () => abortedController()],
  ])('ends immediately if the signal is %s', async (_, create) => {
    const timers = new ManualTimers();
    const controller = create();
    const paused = pause(timers, 200, controller.signal);

    controller.abort();

    await paused;
    expect(timers.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

function abortedController(): AbortController {
  const controller = new AbortController();
  controller.abort();
  return controller;
}
