import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import type { AskControl } from '../../calls/asked-registry.ts';
import type { RecordedExchange } from '../exchange-recorder.ts';
import type { RegistryOutcome } from '../outcome.ts';
import { alone } from '../registry.ts';
import { ControlStore } from './control-store.ts';
import { ControlQuestions } from './control.ts';

const british = (number: string) => ({ registryCode: 'GB', number }) as const;
const valid = (isValid: boolean): RegistryOutcome => ({
  kind: 'answered',
  answer: {
    valid: isValid,
    requestDate: '2026-11-20+00:00',
    name: null,
    address: null,
    consultationNumber: undefined,
    traderMatch: {},
  },
  maxAgeSeconds: undefined,
});

/** Two replicas, and HMRC that answers each control number in its own way. */
async function open(answers: Readonly<Record<string, RegistryOutcome | undefined>>) {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const asked: string[] = [];
  let goOn: (() => void) | undefined;
  const held = { isHeld: false, release: () => goOn?.() };
  const dbs = await openTwice();
  const replicas = dbs.map((db) => {
    const store = new ControlStore(db);
    return new ControlQuestions({ clock, store, ofOperator: british('220430231') });
  }) as [ControlQuestions, ControlQuestions];
  const confirm = async (number: string, keyId = 'key_a', at: 0 | 1 = 0) =>
    replicas[at].confirm({
      keyId,
      question: alone(british(number)),
      ask: async (vatNumber) => {
        asked.push(vatNumber.number);
        if (held.isHeld) await new Promise<void>((resolve) => (goOn = resolve));
        const outcome = answers[vatNumber.number];
        if (outcome === undefined) return undefined;
        const result = { outcome, isOwnForm: true, mayRetry: false, differences: [] };
        return { result, exchange: undefined };
      },
    });
  return { replicas, clock, asked, confirm, held, store: new ControlStore(dbs[1]) };
}

describe('a control question (rule M10)', () => {
  it('is about the newest number of the same key, that of another replica too, else that of the operator', async () => {
    const answers = { '980780684': valid(true), '220430231': valid(true) };
    const { replicas, asked, confirm } = await open(answers);
    await replicas[1].note('key_a', british('980780684'));

    const kinds = [await confirm('1'), await confirm('1', 'key_b'), await confirm('980780684')];

    expect(kinds.map(({ kind }) => kind)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(asked).toEqual(['980780684', '220430231', '220430231']);
  });

  it('fails without a number to ask about, and never asks about the number itself', async () => {
    const { asked, confirm } = await open({ '220430231': valid(true) });

    expect(await confirm('220430231')).toEqual({ kind: 'failed' });
    expect(asked).toEqual([]);
  });

  it.each<[string, RegistryOutcome | undefined]>([
    ['is not made', undefined],
    ['finds HMRC down', { kind: 'serviceUnavailable', because: 'down' }],
    ['is rejected', { kind: 'rejected' }],
    ['cannot be read', { kind: 'failed', failure: 'unexpectedAnswer' }],
  ])('that %s confirms nothing', async (_, outcome) => {
    const { asked, confirm, replicas } = await open({ '980780684': outcome });
    await replicas[0].note('key_a', british('980780684'));

    expect(await confirm('1')).toEqual({ kind: 'failed' });
    expect(asked).toEqual(['980780684']);
  });

  it('about a number that has deregistered is dropped for all replicas, and the next one asked', async () => {
    const { asked, confirm, replicas, clock } = await open({
      '980780684': valid(false),
      '911234567': valid(true),
    });
    await replicas[0].note('key_a', british('911234567'));
    clock.set('2026-11-20T16:00:01Z');
    await replicas[0].note('key_a', british('980780684'));

    expect((await confirm('1')).kind).toBe('confirmed');
    expect((await confirm('1', 'key_a', 1)).kind).toBe('confirmed');
    expect(asked).toEqual(['980780684', '911234567', '911234567']);
  });

  it('fails if all numbers are gone: HMRC’s back end is down', async () => {
    const { confirm, replicas } = await open({
      '980780684': valid(false),
      '220430231': valid(false),
    });
    await replicas[0].note('key_a', british('980780684'));

    expect(await confirm('123456789')).toEqual({ kind: 'failed' });
  });

  it('is shared by the answers that come while one is under way, if it does not come a minute later', async () => {
    const { asked, confirm, held, clock } = await open({ '220430231': valid(true) });
    held.isHeld = true;
    const first = confirm('1');
    const waiting = ['2', '3', '4'].map(async (number) => confirm(number));
    await new Promise((resolve) => void setTimeout(resolve, 20));
    held.isHeld = false;
    held.release();

    expect((await Promise.all([first, ...waiting])).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 4 }, () => 'confirmed'),
    );
    expect(asked).toHaveLength(2);

    held.isHeld = true;
    const slow = confirm('1');
    const late = confirm('2');
    await new Promise((resolve) => void setTimeout(resolve, 20));
    clock.set('2026-11-20T16:01:01Z');
    held.isHeld = false;
    held.release();
    await Promise.all([slow, late]);
    // Those of the first, of the next, and of its own: the answer was more than a minute old.
    expect(asked).toHaveLength(5);
  });

  it('has the time of the newest answer that shares it, and another number if it was about that of an answer', async () => {
    const { asked, confirm, held, replicas } = await open({
      '980780684': valid(true),
      '220430231': valid(true),
    });
    await replicas[0].note('key_a', british('980780684'));
    held.isHeld = true;
    const first = confirm('1');
    await eventually(() => asked.length === 1);
    const question = alone(british('2'));
    const overdue = replicas[0].confirm({ keyId: 'key_a', question, ask: async () => undefined });
    const own = confirm('980780684');
    held.isHeld = false;
    held.release();

    const kinds = (await Promise.all([first, overdue, own])).map(({ kind }) => kind);
    expect(kinds).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(asked).toEqual(['980780684', '980780684', '220430231']);
  });

  it('is as late as it was sent, after its waiting for a turn', async () => {
    const { clock, confirm, held, replicas, asked } = await open({ '220430231': valid(true) });
    held.isHeld = true;
    const first = confirm('1');
    await eventually(() => asked.length === 1);
    let turns = 0;
    const ask: AskControl = async () => {
      turns += 1;
      clock.advance(60_001);
      const exchange = { requestedAt: clock.now() } as RecordedExchange;
      const result = { outcome: valid(true), isOwnForm: true, mayRetry: false, differences: [] };
      return { result, exchange };
    };
    const late = replicas[0].confirm({ keyId: 'key_a', question: alone(british('2')), ask });
    held.isHeld = false;
    held.release();
    await Promise.all([first, late]);

    expect(turns).toBe(2);
  });

  it('keeps the newest three numbers of a key', async () => {
    const { replicas, clock, store } = await open({});
    const numbers = ['911111111', '922222222', '933333333', '944444444', '922222222'];
    for (const [at, number] of numbers.entries()) {
      clock.set(`2026-11-20T16:00:0${at}Z`);
      await replicas[0].note('key_a', british(number));
    }

    expect(await store.list('key_a')).toEqual(['922222222', '944444444', '933333333']);
    expect(await store.list('key_b')).toEqual([]);
  });
});
