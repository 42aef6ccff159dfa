import {
  type Amount,
  type Conversion,
  type ConversionOptions,
  convertAmount,
} from './conversion.ts';
import { NotFoundError } from './errors.ts';
import type { DateList, DateSpan, FxRange, FxRangeQuery, FxSnapshot } from './exchange-rates.ts';
import { refuseInput } from './refusal.ts';
import type { ServiceStatus, Usage } from './standing.ts';
import { type CallOptions, type Shape, Transport, type VatfxOptions } from './transport.ts';
import type { VatCheck } from './vat-check.ts';
import type { ChangeList, ChangeQuery, DatedChanges, RateSnapshot } from './vat-rates.ts';
import { Webhooks } from './webhooks.ts';

export type FxOptions = CallOptions & {
  /** What a day without a publication gives: the 404 (`none`), or the publication before it (`previous`). */
  readonly fallBack?: 'none' | 'previous' | undefined;
};

/** `date`: the publication whose rates are used; the newest without it. */
export type ConvertOptions = FxOptions & ConversionOptions & { readonly date?: string | undefined };

/**
 * A vatfx service. One client serves a whole program; it keeps what it was answered.
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

  /** The VAT rates of today, or of a date (interface 4.1). */
  async rates(date?: string, options?: CallOptions): Promise<RateSnapshot> {
    return this.#read(dated('/rates', date), decimals('rates'), options);
  }

  /** The dates for which there are VAT rates, the oldest first. */
  async rateDates(span: DateSpan = {}, options?: CallOptions): Promise<DateList> {
    return this.#read(`/rates/dates${query(span)}`, decimals('dates'), options);
  }

  /** The rates that moved lately, the newest first (interface 4.2). */
  async changes(asked: ChangeQuery = {}, options?: CallOptions): Promise<ChangeList> {
    return this.#read(`/changes${query(asked)}`, decimals('changes'), options);
  }

  /** Every rate that moved on a snapshot date; none is an empty list (interface 4.3). */
  async changesOn(date: string, options?: CallOptions): Promise<DatedChanges> {
    return this.#read(dated('/changes', date), decimals('changes'), options);
  }

  /** The newest euro reference rates, or those of a date (interface 4.4). */
  async fx(date?: string, options: FxOptions = {}): Promise<FxSnapshot> {
    try {
      return await this.#read(dated('/fx', date), decimals('rates'), options);
    } catch (error) {
      const before = error instanceof NotFoundError ? error.previousDate : undefined;
      if (options.fallBack !== 'previous' || before === undefined) throw error;
      return this.#read(dated('/fx', before), decimals('rates'), options);
    }
  }

  /** The dates for which there are exchange rates, the oldest first. */
  async fxDates(span: DateSpan = {}, options?: CallOptions): Promise<DateList> {
    return this.#read(`/fx/dates${query(span)}`, decimals('dates'), options);
  }

  /** Some currencies over some time, the oldest first. */
  async fxRange({ currencies, ...span }: FxRangeQuery, options?: CallOptions): Promise<FxRange> {
    const asked = query({ ...span, currencies: currencies.join(',') });
    return this.#read(`/fx/range${asked}`, decimals('rates'), options);
  }

  /**
   * Converts an amount with the rates of one publication: exactly, and rounded once.
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
   * Asks whether a VAT number is registered (interface 4.5). `country` is an ISO code, `GR` or `EL` for Greece.
   * The service reads the number: blanks and its own country's letters in front do not matter. For a number whose
   * country is not known there is `readVatNumber`.
   *
   * An outage of the registry is an error, never `valid: false`.
   */
  async checkVat(country: string, number: string, options?: CallOptions): Promise<VatCheck> {
    const path = `/vatcheck/${segment('country', country)}/${segment('number', number)}`;
    return this.#read(path, counts('valid'), options);
  }

  /** Where the key stands; asking is free. */
  async usage(options?: CallOptions): Promise<Usage> {
    return this.#read('/usage', counts('quota'), options);
  }

  /** How fresh the data is, and how the registries are doing. */
  async status(options?: CallOptions): Promise<ServiceStatus> {
    return this.#read('/status', counts('dataSets'), options);
  }

  /** Forgets every kept answer. */
  clearCache(): void {
    this.#transport.clearCache();
  }

  async #read<T>(path: string, shape: Shape, options?: CallOptions): Promise<T> {
    return this.#transport.read<T>(path, shape, options);
  }
}

function decimals(field: string): Shape {
  return { field, numbers: 'decimals' };
}

function counts(field: string): Shape {
  return { field, numbers: 'counts' };
}

/** Anything else than a date would be another route: `dates`, or nothing. */
function dated(path: string, date: string | undefined): string {
  if (date === undefined) return path;
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date)) throw refuseInput('date', 'YYYY-MM-DD');
  return `${path}/${date}`;
}

/** A part of a path; dots and nothing would be another path. */
function segment(name: string, text: string): string {
  if (/^\.{0,2}$/.test(text)) throw refuseInput(name, 'at least one letter or digit');
  return encodeURIComponent(text);
}

function query(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}
