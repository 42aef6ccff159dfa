import type { Dice } from '../../support/dice.ts';
import type { Instead, Served } from './between.ts';
import { everyCode } from '../../support/every-code.ts';
import { changeDigit, scale, spoilWhole } from './spoiled-whole.ts';

const rateForm = /(?<=rate=["'])[\d.]+(?=["'])/g;
const cubeForm = /<Cube currency=.*?\/>/g;

/** The two files of a day, as the ECB has them. */
export type Fixings = { readonly date: string; readonly daily: Served; readonly past: Served };

export type SpoiledFixings = {
  readonly how: string;
  /** Whether no part of it may ever be published; else that depends on the remaining content. */
  readonly isNever: boolean;
  readonly instead: Instead;
};

/** The ECB's files of a day, spoiled in one of many ways (reliability R5). */
export function spoilFixings(dice: Dice, { date, daily, past }: Fixings): SpoiledFixings {
  if (dice.happens(0.4)) {
    const file = dice.pick(['daily', '90d'] as const);
    const { how, isNever, served } = spoilWhole(dice, file === 'daily' ? daily : past);
    return { how: `${file}: ${how}`, isNever, instead: { daily, '90d': past, [file]: served } };
  }
  const day = dayOf(daily.body, date);
  const [how, isNever, spoiled] = spoilDay(dice, day, dayBefore(past.body, date));
  const put = (file: Served): Served => ({
    ...file,
    body: file.body.replace(dayOf(file.body, date), () => spoiled),
  });
  // Either both files have it, or the one with past days does not have the day yet.
  const early = { ...past, body: past.body.replace(dayOf(past.body, date), '') };
  const isEarly = dice.happens(0.5);
  return {
    how: isEarly ? how : `${how}, in both files`,
    isNever,
    instead: { daily: put(daily), '90d': isEarly ? early : put(past) },
  };
}

type SpoiledDay = readonly [how: string, isNever: boolean, day: string];

function spoilDay(dice: Dice, day: string, before: string): SpoiledDay {
  const rates = day.match(cubeForm) ?? [];
  const one = dice.pick(rates);
  const dated = (text: string, by: number): string =>
    text.replace(/\d{4}-\d\d-\d\d/, (date) => addDays(date, by));
  const sinceSaturday = 1 + new Date(/\d{4}-\d\d-\d\d/.exec(day)?.[0] ?? '').getUTCDay();
  const times = (factor: number, of: (cube: string, at: number) => boolean): string => {
    let at = 0;
    return day.replaceAll(cubeForm, (cube) =>
      of(cube, at++) ? cube.replace(rateForm, (rate) => scale(rate, factor)) : cube,
    );
  };
  const gone = (count: number): string => {
    const from = dice.below(rates.length - count + 1);
    return rates.slice(from, from + count).reduce((left, cube) => left.replace(cube, ''), day);
  };
  const values = (change: (rates: readonly string[], at: number) => string): string => {
    const all = day.match(rateForm) ?? [];
    let at = 0;
    return day.replaceAll(rateForm, () => change(all, at++));
  };
  const shift = 1 + dice.below(rates.length - 1);

  return dice.pick<() => SpoiledDay>([
    () => ['one × 10', true, times(10, (cube) => cube === one)],
    () => ['one ÷ 100', true, times(0.01, (cube) => cube === one)],
    () => ['all × 10', true, times(10, () => true)],
    () => ['all ÷ 100', true, times(0.01, () => true)],
    () => ['all × 1.24', true, times(1.24, () => true)],
    () => ['all ÷ 1.24', true, times(1 / 1.24, () => true)],
    () => ['two exchanged', true, exchange(dice, day, before)],
    () => ['many new', true, addNew(day, 11 + dice.below(1_500))],
    () => ['one twice', true, day.replace(one, one + one)],
    () => ['an exponent', true, day.replace(one, one.replace(rateForm, '1e3'))],
    () => ['a zero', true, times(0, (cube) => cube === one)],
    () => ['zeroes', true, times(0, () => true)],
    () => ['four × 1.3', true, times(1.3, (_, at) => at >= shift % 20 && at < (shift % 20) + 4)],
    () => ['swapped', true, values((all, at) => all[(at + shift) % all.length] ?? '')],
    () => ['upside down', true, values((all, at) => (1 / Number(all[at])).toFixed(8))],
    () => ['the day before', true, dated(before, daysBetween(before, day))],
    () => ['many gone', true, gone(4 + dice.below(rates.length - 5))],
    () => ['some gone', false, gone(1 + dice.below(3))],
    () => ['of a Saturday', true, dated(day, -sinceSaturday)],
    () => ['of tomorrow', true, dated(day, 1)],
    () => ['of next year', true, dated(day, 365)],
    () => ['of a year before the ECB', true, dated(day, -365 * 40)],
    () => ['a digit', false, changeDigit(dice, day, rateForm)],
  ])();
}

/** Two currencies with each other's value of the day before, by which they are over 5 % apart. */
function exchange(dice: Dice, day: string, before: string): string {
  const form = /currency=["'](\w+)["'] rate=["']([\d.]+)/g;
  const was = [...before.matchAll(form)].map(([, code = '', rate = '']) => [code, rate] as const);
  for (;;) {
    const [[one, a], [other, b]] = [dice.pick(was), dice.pick(was)];
    if (Math.max(Number(a), Number(b)) / Math.min(Number(a), Number(b)) < 1.06) continue;
    const put: Readonly<Record<string, string>> = { [one]: b, [other]: a };
    return day.replaceAll(cubeForm, (cube) => {
      const value = put[/currency=["'](\w+)/.exec(cube)?.[1] ?? ''];
      return value === undefined ? cube : cube.replace(rateForm, value);
    });
  }
}

function addNew(day: string, count: number): string {
  const codes = everyCode.filter((code) => !day.includes(code)).slice(0, count);
  const cubes = codes.map((code) => `<Cube currency="${code}" rate="1.5"/>`);
  return day.replace('</Cube>', `${cubes.join('')}</Cube>`);
}

/** A day's part of a file; whole days of it hold nothing but rates. */
function dayOf(document: string, date: string): string {
  return new RegExp(`<Cube time=["']${date}["']>.*?</Cube>`, 's').exec(document)?.[0] ?? '';
}

/** The newest day in a file that is older than one. */
function dayBefore(document: string, date: string): string {
  const [before = ''] = [...document.matchAll(/(?<=time=["'])\d{4}-\d\d-\d\d/g)]
    .map(([one]) => one)
    .filter((one) => one < date);
  return dayOf(document, before);
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function daysBetween(before: string, day: string): number {
  const [from = '', to = ''] = [before, day].map((text) => /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? '');
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
