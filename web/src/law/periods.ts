import { type Period, parseMonth, parseQuarter } from '../../../src/fx/law/periods.ts';
import { customsLaw, nameDayOfCustoms, returnLaws } from '../../../src/fx/law/rules.ts';
import type { Days, Law } from './laws.ts';

/**
 * The periods of a law that have rates, newest first: not before the law or the first stored day, and none that has not
 * ended. A month of customs has rates before it begins.
 */
export function listPeriods(
  law: Exclude<Law, 'vat'>,
  { oldest, newest, today }: Days,
): readonly string[] {
  const { inForceSince } = law === 'customs' ? customsLaw : returnLaws[law];
  const found: string[] = [];
  for (let at = monthCount(today) + 1; ; at -= 1) {
    const period = law === 'oss' ? quarterFrom(at) : parseMonth(monthAt(at));
    if (period === undefined) continue;
    const named = law === 'customs' ? nameDayOfCustoms(period).date : period.last;
    if (period.first < inForceSince || named < oldest) return found;
    if (law === 'customs' ? named <= newest : named < today) found.push(period.period);
  }
}

/** Months since the year 0. */
function monthCount(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function monthAt(count: number): string {
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
}

/** The quarter that begins with a month; undefined if none does. */
function quarterFrom(count: number): Period | undefined {
  const month = count % 12;
  return parseQuarter(`${Math.floor(count / 12)}-Q${month / 3 + 1}`);
}
