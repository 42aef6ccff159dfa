import { isoDate } from '../../../platform/time/time.ts';
import type { BankClient } from '../bank.ts';
import { readFixings } from './reader.ts';

/** How the CNB is asked for its fixings: for a whole year. Before the first fixing of a year the answer is an empty list. */
export const cnbClient: BankClient = {
  rereadDays: 0,
  listSpans: ({ from, to }) => {
    const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))];
    return Array.from({ length: last - first + 1 }, (_, at) => {
      const end = isoDate(`${first + at}-12-31`);
      return { from: isoDate(`${first + at}-01-01`), to: end < to ? end : to };
    });
  },
  pathOf: ({ from }) => `/cnbapi/exrates/daily-year?year=${from.slice(0, 4)}&lang=EN`,
  bodyBytesMax: 4_000_000,
  emptyStatus: undefined,
  read: readFixings,
};
