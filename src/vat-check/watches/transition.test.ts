import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangedField, observe, type WatchedAnswer, type WatchState } from './transition.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

type Told = Partial<Omit<WatchedAnswer, 'atMs'>> & { readonly at?: number };

function answerOf({ at = 0, valid = true, name = null, address = null }: Told): WatchedAnswer {
  return { atMs: noon + at, valid, name, address };
}

/** The fields that each of these answers reports, in their order. */
function report(...answers: readonly Told[]): (readonly ChangedField[])[] {
  let state: WatchState<WatchedAnswer> = { baseline: undefined, unconfirmedFalseAtMs: undefined };
  return answers.map((told) => {
    const observed = observe(state, answerOf(told));
    state = observed.state;
    return observed.changed;
  });
}

describe('observe (rule K14)', () => {
  it.each<[string, Told[], (readonly ChangedField[])[]]>([
    [
      'reports no change to false for a second false answer within the hour, and does so for a third one',
      [
        {},
        { valid: false, at: hourMs },
        { valid: false, at: 2 * hourMs - 1 },
        { valid: false, at: 2 * hourMs },
      ],
      [[], [], [], ['valid']],
    ],
    [
      'reports a name and an address that are disclosed in both answers',
      [
        { name: 'A', address: 'X' },
        { name: 'B', address: 'Y' },
      ],
      [[], ['name', 'address']],
    ],
    [
      'reports no name that is not disclosed in one of two answers',
      [{ name: 'A' }, { name: null }, { name: 'B' }],
      [[], [], []],
    ],
    [
      'reports no new layout or letter case of a name and an address',
      [
        { name: 'ACME  GMBH', address: 'Straße 1\n1010 Wien' },
        { name: 'Acme GmbH', address: 'STRASSE 1 1010 WIEN' },
        { name: 'ＡＣＭＥ\u00A0ＧＭＢＨ', address: 'Straße 1\r\n 1010  Wien' },
        { name: 'ACME GMBH & Co', address: 'Strase 1\n1010 Wien' },
      ],
      [[], [], [], ['name', 'address']],
    ],
    [
      'lists all fields of a change to true',
      [
        { valid: false, name: 'A', address: 'X' },
        { valid: true, name: 'B', address: 'X' },
      ],
      [[], ['valid', 'name']],
    ],
    [
      'compares a true answer after an unconfirmed false one with the answer before',
      [{ name: 'A' }, { valid: false, at: hourMs }, { name: 'B', at: 2 * hourMs }],
      [[], [], ['name']],
    ],
  ])('%s', (_, answers, reported) => {
    expect(report(...answers)).toEqual(reported);
  });

  it('reports of any history exactly what two answers prove', () => {
    const text = fc.constantFrom(null, 'A', 'B');
    const told = fc.record({
      afterMs: fc.oneof(fc.nat(2 * hourMs), fc.nat(400 * 24 * hourMs)),
      valid: fc.boolean(),
      name: text,
      address: text,
    });
    fc.assert(
      fc.property(fc.array(told, { maxLength: 40 }), (history) => {
        let atMs = noon;
        let state: WatchState<WatchedAnswer> = {
          baseline: undefined,
          unconfirmedFalseAtMs: undefined,
        };
        /** The validity that a receiver of all events would believe. */
        let believed: boolean | undefined;
        let falseSinceMs: number | undefined;
        for (const { afterMs, ...fields } of history) {
          atMs += afterMs;
          const answer = { ...fields, atMs };
          falseSinceMs = answer.valid ? undefined : (falseSinceMs ?? atMs);
          const { baseline } = state;
          const observed = observe(state, answer);
          state = observed.state;
          const { changed } = observed;

          const isProven = answer.valid || believed === undefined || atMs - falseSinceMs! >= hourMs;
          const hasTurned = believed !== undefined && believed !== answer.valid;
          expect(changed.includes('valid')).toBe(hasTurned && isProven);
          for (const field of ['name', 'address'] as const) {
            if (!changed.includes(field)) continue;
            expect(baseline?.[field]).not.toBeNull();
            expect(answer[field]).not.toBeNull();
            expect(answer[field]).not.toBe(baseline?.[field]);
          }
          if (believed === undefined || isProven) believed = answer.valid;
          expect(state.baseline?.valid).toBe(believed);
        }
      }),
      { numRuns: 500 },
    );
  });
});
