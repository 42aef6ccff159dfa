import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Ticker } from './ticker.ts';

/** A ticker on a question whose answers the test gives. */
function openTicker() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(line) });
  const answers: PromiseWithResolvers<void>[] = [];
  const tick = async (): Promise<void> => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const ticker = new Ticker(tick, { intervalMs: 5_000, log });
  return { ticker, answers, lines };
}

describe('Ticker', () => {
  it('asks at once, and again a while after each answer, never two at a time', async () => {
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

  it('goes on after a question that failed, and logs it', async () => {
    const { ticker, answers, lines } = openTicker();
    ticker.start();

    answers[0]?.reject(new Error('no database'));
    await vi.advanceTimersByTimeAsync(5_000);

    expect(answers).toHaveLength(2);
    expect(lines).toEqual([expect.stringContaining('tick failed')]);
    answers[1]?.resolve();
    await ticker.stop();
  });

  it('asks no more once it is stopped between two questions', async () => {
    const { ticker, answers } = openTicker();
    ticker.start();
    answers[0]?.resolve();
    await vi.advanceTimersByTimeAsync(1);

    await ticker.stop();

    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the question under way when it is stopped, and asks no other', async () => {
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
