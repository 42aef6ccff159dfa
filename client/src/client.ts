import {
  type Amount,
  type Conversion,
  type ConversionOptions,
  convertAmount,
} from './conversion.ts';
import { NotFoundError } from './errors.ts';
import type { DateList, DateSpan, FxRange, FxRangeQuery, FxSnapshot } from './exchange-rates.ts';
import { datedPath, pathSegment, queryString } from './path.ts';
import type { ServiceStatus } from './service-status.ts';
import {
  type CallOptions,
  Transport,
  type VatfxOptions,
  withoutRates,
  withRates,
} from './transport.ts';
import type { Usage } from './usage.ts';
import type { VatCheck } from './vat-check.ts';
import type { ChangeList, ChangeQuery, DatedChanges, RateSnapshot } from './vat-rates.ts';
import { Webhooks } from './webhooks.ts';

export type FxOptions = CallOptions & {
  /** For a day without a publication: `none` throws the 404, `previous` returns the publication before it. */
  readonly fallBack?: 'none' | 'previous' | undefined;
};

/** `date` is the publication whose rates are used; by default the newest. */
export type ConvertOptions = FxOptions & ConversionOptions & { readonly date?: string | undefined };

/**
 * A vatfx service. One client is enough for a whole program; it caches answers in memory.
 *
 *     const vatfx = new VatfxClient({ url: 'http://127.0.0.1:8080', key });
 *     const { rates } = await vatfx.rates();
 */
export class VatfxClient {
  /** The subscriptions of the key, and their deliveries. */
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(options: VatfxOptions) {
    this.#transport = new Transport(options);
    this.webhooks = new Webhooks(this.#transport);
  }

  /** The newest VAT rates, or those of a date (interface 4.1). */
  async rates(date?: string, options?: CallOptions): Promise<RateSnapshot> {
    return this.#transport.read(datedPath('/rates', date), withRates('rates'), options);
  }

  /** The dates of all stored VAT rates, the oldest first. */
  async rateDates(span: DateSpan = {}, options?: CallOptions): Promise<DateList> {
    return this.#transport.read(`/rates/dates${queryString(span)}`, withRates('dates'), options);
  }

  /** The latest rate changes, the newest first (interface 4.2). */
  async changes(filter: ChangeQuery = {}, options?: CallOptions): Promise<ChangeList> {
    return this.#transport.read(`/changes${queryString(filter)}`, withRates('changes'), options);
  }

  /** All rate changes of a snapshot date; an empty list if no rate moved (interface 4.3). */
  async changesOn(date: string, options?: CallOptions): Promise<DatedChanges> {
    return this.#transport.read(datedPath('/changes', date), withRates('changes'), options);
  }

  /** The newest euro reference rates, or those of a date (interface 4.4). */
  async fx(date?: string, options: FxOptions = {}): Promise<FxSnapshot> {
    try {
      return await this.#transport.read(datedPath('/fx', date), withRates('rates'), options);
    } catch (error) {
      const before = error instanceof NotFoundError ? error.previousDate : undefined;
      if (options.fallBack !== 'previous' || before === undefined) throw error;
      return this.#transport.read(datedPath('/fx', before), withRates('rates'), options);
    }
  }

  /** The dates of all stored exchange rates, the oldest first. */
  async fxDates(span: DateSpan = {}, options?: CallOptions): Promise<DateList> {
    return this.#transport.read(`/fx/dates${queryString(span)}`, withRates('dates'), options);
  }

  /** The rates of up to ten currencies in a range of dates, the oldest first. */
  async fxRange({ currencies, ...span }: FxRangeQuery, options?: CallOptions): Promise<FxRange> {
    const path = `/fx/range${queryString({ ...span, currencies: currencies.join(',') })}`;
    return this.#transport.read(path, withRates('rates'), options);
  }

  /**
   * Converts an amount with the rates of one publication: exactly, rounded once at the end.
   *
   *     await vatfx.convert('19.90', 'EUR', 'USD');   // { amount: '23.09', currency: 'USD', … }
   */
  async convert(
    amount: Amount,
    from: string,
    to: string,
    options: ConvertOptions = {},
  ): Promise<Conversion> {
    const snapshot = await this.fx(options.date, options);
    return convertAmount(snapshot, { amount, from, to }, options);
  }

  /**
   * Checks whether a VAT number is registered (interface 4.5). `country` is an ISO code; Greece is `GR` or `EL`.
   * The number may have blanks, and the letters of that country in front. If you do not know the country, use
   * `readVatNumber` first.
   *
   * An outage of the registry is an error, never `valid: false`.
   */
  async checkVat(country: string, number: string, options?: CallOptions): Promise<VatCheck> {
    const path = `/vatcheck/${pathSegment('country', country)}/${pathSegment('number', number)}`;
    return this.#transport.read(path, withoutRates('valid'), options);
  }

  /** The key's rate limit, quota and expiry. The request is not charged. */
  async usage(options?: CallOptions): Promise<Usage> {
    return this.#transport.read('/usage', withoutRates('quota'), options);
  }

  /** The age of the data, and the latest outcomes of each registry. */
  async status(options?: CallOptions): Promise<ServiceStatus> {
    return this.#transport.read('/status', withoutRates('dataSets'), options);
  }

  /** Removes all cached answers. */
  clearCache(): void {
    this.#transport.clearCache();
  }
}
