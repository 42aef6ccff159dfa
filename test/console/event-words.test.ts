import { describe, expect, it } from 'vitest';
import { explainEvent } from '../../web/src/events/event-words.ts';
import type { LoggedEvent, StoredCheck, Watch } from '../../web/src/wire.ts';

const number = { countryCode: 'DE', vatNumber: '999999901' };
const check = { ...number, id: 'vc_1', status: 'rejected' } as StoredCheck;

describe('explainEvent of vat.watch_failed (rule K13)', () => {
  it.each<[Watch['error'], StoredCheck | null, string, string]>([
    ['INVALID_INPUT', check, '#/check?id=vc_1', 'The registry refuses this number.'],
    [
      'QUOTA_EXCEEDED',
      null,
      '#/check?show=watches',
      'The quota of this key is used up: the next check waits until there is some.',
    ],
  ])('says why, with a link: %s', (error, refused, href, text) => {
    const watch = { ...number, error } as Watch;
    const event = { type: 'vat.watch_failed', watch, check: refused } as LoggedEvent;

    expect(explainEvent(event)).toEqual({ href, subject: 'DE 999999901', text });
  });
});
