import { dateField } from '../../fields/dates.ts';
import { optional, refined, refuse } from '../../fields/field.ts';
import type { IsoDate } from '../../time/time.ts';

/** Both ends included; undefined for an end that is open. */
export type DateSpan = { readonly from: IsoDate | undefined; readonly to: IsoDate | undefined };

/** The date in a path (contract C5). */
export const dateInPath = {
  date: {
    field: dateField,
    description: 'A date, YYYY-MM-DD.',
    example: '2026-11-20',
    when: 'The date in the path is malformed or not a calendar date.',
  },
} as const;

const from = {
  description: 'The first date, included.',
  example: '2026-11-16',
  when: '`from` is malformed or not a calendar date.',
} as const;
const to = {
  description: 'The last date, included; not before `from`.',
  example: '2026-11-20',
  when: '`to` is malformed or not a calendar date.',
  refusals: [{ expected: "a date not before 'from'", when: '`to` is before `from`.' }],
} as const;
const lastDate = refined(dateField, (last, at) => {
  const first = at.before['from'] as IsoDate | undefined;
  return first !== undefined && last < first ? refuse(at, to.refusals[0].expected) : last;
});

/** The query parameters of a span of dates, which includes both (contract C35). Without one of them that end is open. */
export const spanParameters = {
  from: { ...from, field: optional(dateField) },
  to: { ...to, field: optional(lastDate) },
} as const;

/** The same, both required. */
export const closedSpanParameters = {
  from: { ...from, field: dateField, when: missing('from') },
  to: { ...to, field: lastDate, when: missing('to') },
} as const;

function missing(name: string): string {
  return `\`${name}\` is missing, malformed or not a calendar date.`;
}
