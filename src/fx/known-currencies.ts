import type { Db } from '../platform/database/database.ts';
import { listCurrencies } from './columns.ts';
import type { CurrencyCode } from './snapshot.ts';

/** The currencies of the ECB's whole history, 1999-01-04 to 2026-11-20. */
const published =
  'AUD BGN BRL CAD CHF CNY CYP CZK DKK EEK GBP HKD HRK HUF IDR ILS INR ISK JPY KRW LTL LVL MTL MXN MYR NOK ' +
  'NZD PHP PLN ROL RON RUB SEK SGD SIT SKK THB TRL TRY USD ZAR';

/**
 * The currencies that the ECB has ever published. A table has those of the past, for a service without a
 * history; the stored history adds new ones on their first day.
 */
export class KnownCurrencies {
  readonly #codes = new Set<string>(published.split(' '));

  has(code: CurrencyCode): boolean {
    return this.#codes.has(code);
  }

  /** Adds the currencies of the stored history; called after each publication, by any process. */
  async refresh(db: Db): Promise<void> {
    for (const code of await listCurrencies(db)) this.#codes.add(code);
  }
}
