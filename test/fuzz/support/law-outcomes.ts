/** About the first stored date: the ECB's file of 90 days begins before its full history here. */
const firstDate = '2026-08-24';
/** The first day of the publications of the national banks. */
const firstOfBanks = '2026-09-01';
/** The day of the newest publication, whose Saturday and Sunday are closed. */
const today = '2026-11-20';
const lastClosed = '2026-11-22';

export const isQuarter = (text: string): boolean => /^(?!0000)\d{4}-Q[1-4]$/.test(text);
export const isMonth = (text: string): boolean => /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** The countries with a rule for the rates of each bank; without a bank, those of the ECB's rule for Poland (rule N13). */
const countriesOf: Readonly<Record<string, readonly string[]>> = {
  none: ['PL'],
  nbp: ['PL'],
  cnb: ['CZ'],
  ecb: ['PL', 'CZ'],
};

/** The newest day that a law may name: a day must have ended in Poland, and Czech rates are valid from their day on. */
const newestNamed: Readonly<Record<string, string>> = { nbp: '2026-11-19', cnb: today };

/** The faults of the query of a tax point, as the 400 that reports them. */
export function taxPointFaults(query: readonly (readonly [string, string])[]): string[] {
  const given = (name: string): readonly string[] =>
    query.filter(([one]) => one === name).map(([, value]) => value);
  const [banks, countries] = [given('bank'), given('country')];
  const bank = banks.length === 0 ? 'none' : (banks[0] ?? '');
  const known = countriesOf[bank];
  if (banks.length > 1 || known === undefined) return ["400 invalid 'bank' — expected nbp"];
  const country = countries[0];
  const isMissing = (country ?? '') === '' && bank !== 'none';
  if (isMissing || countries.length > 1) return ["400 invalid 'country' — expected "];
  if (country !== undefined && !known.includes(country)) {
    // CZ is known, but not without a bank.
    const name = bank === 'none' && country !== 'CZ' ? 'country' : 'bank';
    return [`400 invalid '${name}' — expected `];
  }
  const knowsIssue = country === 'PL';
  return given('issued').length > 0 && !knowsIssue ? ["400 unknown parameter 'issued'"] : [];
}

/** The expected answer to a well-formed request for the rates of a rule (legal-fx L1, L4; rule N4), without `read`. */
export function lawOutcome(
  id: string,
  ids: Readonly<Record<string, string>>,
  supply: {
    readonly country: string | undefined;
    readonly bank: string | undefined;
    readonly issued: string | undefined;
  },
): 'read' | '404 fx snapshot not found' | '404 fx rate not published yet' {
  const period = ids['period'] ?? '';
  if (id === 'getOssFx' || id === 'getIossFx') {
    const named = lastDayOf(period);
    if (named < firstDate) return '404 fx snapshot not found';
    return named < today ? 'read' : '404 fx rate not published yet';
  }
  const named = id === 'getCustomsFx' ? wednesdayFor(period) : dayOf(ids['taxPoint'] ?? '', supply);
  const newest = newestNamed[supply.bank ?? ''];
  if (named < (newest === undefined ? firstDate : firstOfBanks)) return '404 fx snapshot not found';
  return named <= (newest ?? lastClosed) ? 'read' : '404 fx rate not published yet';
}

function lastDayOf(period: string): string {
  const month = period.includes('Q') ? 3 * Number(period.slice(6)) : Number(period.slice(5));
  return printDay(new Date(Date.UTC(Number(period.slice(0, 4)), month, 0)));
}

/** The penultimate Wednesday of the month before, found by going back day by day. */
function wednesdayFor(period: string): string {
  const day = new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)) - 1, 0));
  for (let found = 0; ; day.setUTCDate(day.getUTCDate() - 1)) {
    if (day.getUTCDay() === 3) found += 1;
    if (found === 2) return printDay(day);
  }
}

/**
 * The day that the law names: an instant before 16:00 in Frankfurt is about the day before. Polish law names the day
 * before, and the day before the issue of an earlier invoice; Czech law names the day itself.
 */
function dayOf(
  taxPoint: string,
  {
    country,
    issued,
  }: { readonly country: string | undefined; readonly issued: string | undefined },
): string {
  if (taxPoint.startsWith('0')) return '0000';
  const isDay = taxPoint.length === 10;
  const earlierMs = isDay || country !== undefined ? 0 : 16 * 3_600_000;
  const moment = new Date(Date.parse(taxPoint) - earlierMs);
  const local = isDay
    ? taxPoint
    : moment.toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
  // Swedish dates of the year 10000 have five digits, and sort as later ones here.
  const day = local.length > 10 ? '9999-12-31' : local;
  const decisive = issued !== undefined && issued < day ? issued : day;
  const before = new Date(Date.parse(decisive) - 86_400_000);
  return country === 'PL' ? printDay(before) : day;
}

/** Years after 9999 and before 0 have a sign; only their order matters. */
function printDay(day: Date): string {
  return day.toISOString().replace(/^-.*/, '0000').slice(0, 10);
}
