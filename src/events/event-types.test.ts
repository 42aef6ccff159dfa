import { describe, expect, it } from 'vitest';
import {
  defaultTypes,
  type EventSources,
  eventTypes,
  printBody,
  subscribableTypes,
} from './event-types.ts';

const at = '2026-11-20T07:00:03.000Z';
/** The only source that these bodies use. */
const sources = (readChanges: EventSources['readChanges']) => ({ readChanges }) as EventSources;

describe('subscribable and default event types (contract C27)', () => {
  it('leaves out events that are sent on request alone', () => {
    const published = Object.keys(eventTypes).filter((type) => type !== 'webhook.test');

    expect(published).toContain('rates.changed');
    expect(subscribableTypes).toEqual(published);
  });

  it('sends a subscription that names no events only rates.changed', () => {
    expect(defaultTypes).toEqual(['rates.changed']);
  });
});

describe('printBody of other types', () => {
  const readChanges = async (): Promise<never> => {
    throw new Error('no changes are read');
  };

  it('prints the body that an event of a stored check has', async () => {
    const body = '{"type":"vat.checked","check":{"name":"Müller"}}';
    const event = { id: 'evt_2', type: 'vat.checked', at, snapshotDate: undefined, body };

    expect(await printBody(event, sources(readChanges))).toBe(body);
    await expect(printBody({ ...event, body: undefined }, sources(readChanges))).rejects.toThrow(
      'events: evt_2 has no body',
    );
  });

  it('throws if the type is not in the table', async () => {
    const event = { id: 'evt_3', type: 'fx.changed', at, snapshotDate: undefined, body: undefined };

    await expect(printBody(event, sources(readChanges))).rejects.toThrow(
      'events: evt_3 has the unknown type fx.changed',
    );
  });
});
