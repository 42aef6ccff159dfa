import { describe, expect, it } from 'vitest';
import { HeldCalls, timedOut } from '../../../test/vat-check/support/held-calls.ts';

const inBackground = { isBackground: true } as const;
const refused = { kind: 'refused', by: 'memberState', retryAfterSeconds: 5 };

describe('background calls (rule K8)', () => {
  it('use 2 of the 4 places of a Member State, and a third one is refused', async () => {
    const calls = new HeldCalls();

    const results = await calls.begin('DE', 3, inBackground);

    expect(calls.inFlight).toHaveLength(2);
    expect((await results(2))[0]).toEqual(refused);
    expect(calls.protection.roomForBackground('DE')).toBe(0);
    await calls.begin('DE', 3);
    expect(calls.inFlight).toHaveLength(4);
  });

  it('have no room while the breaker is open, and room for one trial after 30 s', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('DE', timedOut, 10);

    expect(calls.protection.roomForBackground('DE')).toBe(0);
    expect(calls.protection.roomForBackground('FR')).toBe(2);
    calls.timers.advance(30_000);
    expect(calls.protection.roomForBackground('DE')).toBe(1);
    await calls.begin('DE', 1, inBackground);
    expect(calls.protection.roomForBackground('DE')).toBe(0);
  });
});
