import { addDays } from '../../../platform/time/time.ts';
import type { BankClient, Span } from '../bank.ts';
import { readTables } from './reader.ts';

/** The most days of a request, both ends counted. */
const spanDaysMax = 93;

/** How the NBP is asked for its tables A. */
export const nbpClient: BankClient = {
  rereadDays: 30,
  listSpans: ({ from, to }) => {
    const spans: Span[] = [];
    for (let first = from; first <= to; first = addDays(first, spanDaysMax)) {
      const last = addDays(first, spanDaysMax - 1);
      spans.push({ from: first, to: last < to ? last : to });
    }
    return spans;
  },
  pathOf: ({ from, to }) => `/api/exchangerates/tables/A/${from}/${to}/?format=json`,
  bodyBytesMax: 2_000_000,
  // Of a range without a table, with a text as its body.
  emptyStatus: 404,
  read: readTables,
};
