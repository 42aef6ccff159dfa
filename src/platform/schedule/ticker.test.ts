import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../log/log.ts';
import { Ticker } from './ticker.ts';

/** A ticker whose ticks the test ends. */
function openTicker() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const answers: PromiseWithResolvers<number | void>[] = [];
  const tick = async (): Promise<number | void> => {
    const answer = Promise.withResolvers<number | void>();
    answers.push(answer);
    return answer.promise;
  };
  const ticker = new Ticker(tick, { intervalMs: 5_000, log, failure: 'no tick' });
  return { ticker, answers, lines };
}

describe('Ticker', () => {
  it('ticks immediately, then an interval after the end of each tick, never two at a time', async () => {
    const { ticker, answers } = openTicker();
    ticker.start();
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(answers).toHaveLength(1);

    answers[0]?.resolve();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(answers).toHaveLength(2);
    answers[1]?.resolve();
    await ticker.stop();
  });

  it('ticks now when it is woken between two ticks, and again when it is woken during one', async () => {
    const { ticker, answers } = openTicker();
    ticker.start();
    answers[0]?.resolve();
    await vi.advanceTimersByTimeAsync(1);

    ticker.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(2);
    ticker.wake();
    answers[1]?.resolve();
    await vi.advanceTimersByTimeAsync(0);

    expect(answers).toHaveLength(3);
    answers[2]?.resolve();
    await ticker.stop();
  });

  it('goes on after a tick that failed, and logs the first of several failures in a row', async () => {
    const { ticker, answers, lines } = openTicker();
    ticker.start();

    for (const at of [0, 1]) {
      answers[at]?.reject(new Error('no database'));
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(lines).toEqual([expect.stringContaining('no tick')]);
    answers[2]?.resolve();
    await vi.advanceTimersByTimeAsync(5_000);
    answers[3]?.reject(new Error('no database'));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(lines).toHaveLength(2);
    expect(answers).toHaveLength(5);
    answers[4]?.resolve();
    await ticker.stop();
  });

  it('waits for the tick under way when it is stopped, and begins no other', async () => {
    const { ticker, answers } = openTicker();
    ticker.start();
    const order: string[] = [];

    const stopped = ticker.stop().then(() => order.push('stopped'));
    await vi.advanceTimersByTimeAsync(60_000);
    order.push('answered');
    answers[0]?.resolve();
    await stopped;

    expect(order).toEqual(['answered', 'stopped']);
    expect(vi.getTimerCount()).toBe(0);
    expect(answers).toHaveLength(1);
  });
});
