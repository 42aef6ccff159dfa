import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { unlessAborted } from './timers.ts';

const never = new Promise<never>(() => {});
const [failed, stopped] = [new Error('failed'), new Error('stopped')];

it.each([
  ['the value', async () => 'value', false, 'value'],
  ['the error', async () => Promise.reject(failed), false, failed],
  ['the reason of an abort', () => never, false, stopped],
  ['the reason of an abort before', () => never, true, stopped],
])('unlessAborted ends with %s that comes first, and leaves no listener', async (...row) => {
  const [, begin, isBefore, expected] = row;
  const work = begin();
  const controller = new AbortController();
  if (isBefore) controller.abort(stopped);

  const outcome = unlessAborted(controller.signal, work).catch((error: unknown) => error);
  if (work === never) controller.abort(stopped);

  expect(await outcome).toBe(expected);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});
