import { describe, expect, it } from 'vitest';
import { storeEvent } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { createLog } from '../../platform/log/log.ts';
import { systemTimers } from '../../platform/time/timers.ts';
import { createEventWaits } from './event-waits.ts';
import { LogReader } from './log-reader.ts';
import type { LogRow, VisibleTypes } from './log-rows.ts';
import type { Page } from './page.ts';

const keyId = 'key_a';
const ratesOnly: VisibleTypes = { public: ['rates.changed'], key: [] };
const all: VisibleTypes = { public: ['rates.changed'], key: ['vat.checked'] };

/** Opens waits whose printing of one event does not end before `mayPrint`. */
async function openWaits(slowId: string, mayPrint: Promise<void>) {
  const db = await openTemporaryDatabase();
  const log = createLog('silent', { write: () => {} });
  const printing = Promise.withResolvers<void>();
  const printBody = async ({ id }: LogRow): Promise<string> => {
    if (id === slowId) {
      printing.resolve();
      await mayPrint;
    }
    return `{"of":${JSON.stringify(id)}}`;
  };
  const reader = new LogReader({ db, log, printBody });
  const waits = createEventWaits({ db, timers: systemTimers, reader, printBody });
  const wait = async (after: number, types: VisibleTypes): Promise<Page | undefined> =>
    waits.wait({ keyId, types, searchedTo: after, limit: 100 }, { forMs: 20_000 });
  return { db, wait, printing: printing.promise };
}

function idsOf(page: Page | undefined): readonly string[] {
  return (page?.events ?? []).map((event) => (JSON.parse(event) as { readonly id: string }).id);
}

describe('createEventWaits (rule E4)', () => {
  it('returns every event to a request that begins to wait at an earlier position while others are answered', async () => {
    const mayPrint = Promise.withResolvers<void>();
    const { db, wait, printing } = await openWaits('evt_2', mayPrint.promise);
    await storeEvent(db, { id: 'evt_1', type: 'vat.checked', key_id: keyId, snapshot_date: null });
    // This request was searched up to the first event, which its types leave out.
    const first = wait(1, ratesOnly);
    await storeEvent(db, { id: 'evt_2' });
    await printing;
    // Its page was read before the first event was written, and took until now.
    const second = wait(0, all);
    mayPrint.resolve();

    expect(idsOf(await first)).toEqual(['evt_2']);
    expect(idsOf(await second)).toEqual(['evt_1', 'evt_2']);
  });
});
