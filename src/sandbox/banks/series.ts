import { daysBetween, type IsoDate } from '../../platform/time/time.ts';
import { unitNoise } from '../data/noise.ts';

/** One value of a publication, with the digits that its bank prints. */
export interface BankRate {
  readonly currency: string;
  readonly value: string;
}

/**
 * The generated series of a national bank: only the fixings of `data/bank-rates.json` are real.
 *
 * Every other value swings around the real one before it (around the first one for earlier days) by at most 4.5 %. It depends
 * only on its date and currency, so it is the same in every answer and on every run.
 */
export class BankSeries {
  readonly #fixings: readonly (readonly [date: string, rates: ReadonlyMap<string, string>])[];

  /** `fixings` are texts like `USD 3.6056 AUD 2.5522` by date, oldest first. */
  constructor(fixings: Readonly<Record<string, string>>) {
    this.#fixings = Object.entries(fixings).map(([date, text]) => [date, readPairs(text)]);
  }

  ratesOn(date: IsoDate): readonly BankRate[] {
    const [anchor, real] = this.#fixings.findLast(([day]) => day <= date) ?? this.#first;
    const days = daysBetween(anchor as IsoDate, date);
    return [...real].map(([currency, value]) => ({
      currency,
      value: days === 0 ? value : swing(currency, value, days),
    }));
  }

  get #first() {
    const [first] = this.#fixings;
    if (first === undefined) throw new Error('sandbox: a bank without fixings');
    return first;
  }
}

/** Reads a text like `HUF 100 IDR 1000`. */
export function readPairs(text: string): ReadonlyMap<string, string> {
  const words = text.split(' ');
  return new Map(
    words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : [])),
  );
}

function swing(currency: string, value: string, days: number): string {
  const height = 0.04 * unitNoise(currency, 0);
  const wave = height * Math.sin((2 * Math.PI * days) / 731) + 0.005 * unitNoise(currency, days);
  const decimals = value.split('.')[1]?.length ?? 0;
  return (Number(value) * Math.exp(wave)).toFixed(decimals);
}
