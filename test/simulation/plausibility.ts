import type { Fields } from '../journeys/support/fold.ts';

/** The part of a change row that follows from two snapshots alone. */
export type Move = {
  readonly country: string;
  readonly field: string;
  readonly old: string | null;
  readonly new: string | null;
};

/** The differences of two snapshots, by country and field. */
export function movesBetween(before: Fields, after: Fields): Move[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [country = '', field = ''] = name.split(' ');
    const move = { country, field, old: before.get(name) ?? null, new: after.get(name) ?? null };
    return move.old === move.new ? [] : [move];
  });
}

/** The reasons why only an operator may publish these rates after those (contract C15). */
export function doubts(before: Fields, after: Fields): string[] {
  const found: string[] = [];
  for (const [name, value] of before) {
    const [country = '', field = ''] = name.split(' ');
    const now = after.get(name);
    if (field === 'standard' && now === undefined) found.push(`${country} is missing`);
    else if (field === 'standard' && Math.abs(Number(now) - Number(value)) > 5.000001) {
      found.push(`${name} ${value} → ${now}`);
    }
    const isStill = after.has(`${country} standard`);
    if (field === 'reduced[0]' && now === undefined && isStill) found.push(`${name} is gone`);
  }
  for (const [name, value] of after) {
    const [country = '', field = ''] = name.split(' ');
    const isStandard = field === 'standard';
    if (isStandard && (Number(value) < 15 || Number(value) > 30)) found.push(`${name} ${value}`);
    if (!isStandard && Number(value) >= Number(after.get(`${country} standard`))) {
      found.push(`${name} ${value} is not below the standard rate`);
    }
  }
  const moved = movesBetween(before, after).length;
  if (moved > 40) found.push(`${moved} moves together`);
  return found;
}

/** The same for exchange rates that differ by a factor, or hardly at all (contract C19). */
export function fxDoubts(before: string, after: string): string[] {
  const was = ratesOf(before);
  const is = ratesOf(after);
  const found: string[] = [];
  const common = Object.keys(was).filter((currency) => currency in is);
  for (const currency of common) {
    const ratio = (is[currency] ?? 0) / (was[currency] ?? 0);
    if (!(ratio > 0.5 && ratio < 2)) found.push(`${currency} by a factor of ${ratio}`);
  }
  const same = common.filter((currency) => is[currency] === was[currency]).length;
  if (same >= common.length * 0.9) found.push(`${same} of ${common.length} values unchanged`);
  const gone = Object.keys(was).length - common.length;
  if (gone > 3) found.push(`${gone} currencies gone`);
  return found;
}

function ratesOf(body: string): Record<string, number> {
  return (JSON.parse(body) as { rates: Record<string, number> }).rates;
}
