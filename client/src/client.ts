import type {
  BankName,
  BankSnapshot,
  BankTaxPointRates,
  CategoryChanges,
  CategoryList,
  CategoryQuery,
  CategoryRows,
  ChangeList,
  ChangeQuery,
  CustomsRates,
  DatedChanges,
  DateList,
  DateSpan,
  EventType,
  FxRange,
  FxRangeQuery,
  FxSnapshot,
  RateDates,
  ReturnRates,
  ServiceStatus,
  TaxPointRates,
  TerritoryList,
  TerritoryQuery,
  Usage,
  VatCheck,
} from './api-types.ts';
import { Checks } from './checks.ts';
import { readChosen, readPublication, readRule } from './chosen-rates.ts';
import type { BankVatOptions, ConvertOptions, FxOptions, VatOptions } from './convert-options.ts';
import { type Amount, type Conversion, convertAmount } from './conversion.ts';
import { followEvents, type FollowOptions, readEventPage } from './follow-events.ts';
import type { EventPage, EventQuery, LoggedEvent } from './logged-event.ts';
import { datedPath, pathSegment, queryString } from './path.ts';
import { type JudgedRate, type RateQuestion, readRateOf } from './rate-of.ts';
import {
  type CallOptions,
  Transport,
  type VatfxOptions,
  withoutRates,
  withRates,
} from './transport.ts';
import { readCheckArguments } from './vat-check.ts';
import type { ErrataKinds, ErrataList, ErrataQuery, RateSnapshot } from './vat-rates.ts';
import { Watches } from './watches.ts';
import { Webhooks } from './webhooks.ts';

/**
 * A vatfx service. One client is enough for a whole program; it caches answers in memory.
 *
 *     const vatfx = new VatfxClient({ url: 'http://127.0.0.1:8080', key });
 *     const { rates } = await vatfx.rates();
 */
export class VatfxClient {
  /** The stored VAT checks of the key, their batches and their evidence. */
  readonly checks: Checks;
  /** The VAT numbers that the key watches. */
  readonly watches: Watches;
  /** The subscriptions of the key, and their deliveries. */
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(options: VatfxOptions) {
    this.#transport = new Transport(options);
    this.checks = new Checks(this.#transport);
    this.watches = new Watches(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /**
   * The newest VAT rates, or those of a date (interface 4.1), as the source reports them. If the source is known to be
   * wrong on that date, they have `errata`, for which a second request is sent (rule X2).
   */
  async rates(date?: string, options?: CallOptions): Promise<RateSnapshot> {
    const path = datedPath('/rates', date);
    const { value, link } = await this.#transport.readWithLink<RateSnapshot>(
      path,
      withRates('rates'),
      options,
    );
    if (link?.includes('rel="describedby"') !== true) return value;
    const { errata } = await this.errata({ date: value.version }, options);
    return errata.length === 0 ? value : Object.freeze({ ...value, errata });
  }

  /** The known errors of the source: all of national rates, or of `kind`; those of a country, or of a date. */
  async errata<K extends keyof ErrataKinds = 'national'>(
    query: ErrataQuery<K> = {},
    options?: CallOptions,
  ): Promise<ErrataList<ErrataKinds[K]>> {
    return this.#transport.read(`/rates/errata${queryString(query)}`, withRates('errata'), options);
  }

  /** The dates of all stored VAT rates, the oldest first. */
  async rateDates(span: DateSpan = {}, options?: CallOptions): Promise<RateDates> {
    return this.#transport.read(`/rates/dates${queryString(span)}`, withRates('dates'), options);
  }

  /**
   * The rates of goods and services: by country, category, CN code or CPA code, on a date or now.
   *
   *     const { rows, ambiguous, uncoded } = await vatfx.categories({ country: 'BE', cn: '4902' });
   *
   * At least one of `country`, `category`, `cn` and `cpa` is needed. No row is chosen: unless `ambiguous` is false, only the
   * comments say which rate applies. A missing row is not a rate: `uncoded` counts the rows without codes, which may be about
   * the goods as well. `rateOf` is easier.
   */
  async categories(
    { date, ...query }: CategoryQuery,
    options?: CallOptions,
  ): Promise<CategoryRows> {
    const path = `${datedPath('/rates', date)}/categories${queryString(query)}`;
    return this.#transport.read(path, withRates('rows'), options);
  }

  /**
   * Whether a country has one rate for a code or a category, several under conditions, or none that TEDB reports.
   *
   *     const answer = await vatfx.rateOf({ country: 'ES', cn: '1509' });
   *     if (answer.kind === 'one') answer.rate;
   *
   * The errata that it names are read with a second request. For a service before 0.4 it throws `UnexpectedAnswerError`.
   */
  async rateOf(question: RateQuestion, options?: CallOptions): Promise<JudgedRate> {
    return readRateOf(this.#transport, question, options);
  }

  /** The goods and services whose rates changed with a snapshot. */
  async categoryChangesOn(date: string, options?: CallOptions): Promise<CategoryChanges> {
    const path = `${datedPath('/rates', date)}/categories/changes`;
    return this.#transport.read(path, withRates('changes'), options);
  }

  /** The categories of goods and services, with their descriptions. */
  async categoryList(options?: CallOptions): Promise<CategoryList> {
    return this.#transport.read('/rates/categories/list', withoutRates('categories'), options);
  }

  /**
   * Territories with a VAT treatment of their own: all, those of a country, or those that contain a postcode.
   *
   *     const { territories, decided } = await vatfx.territories({ country: 'ES', postcode: '35001' });
   */
  async territories(query: TerritoryQuery = {}, options?: CallOptions): Promise<TerritoryList> {
    const path = `/territories${queryString(query)}`;
    return this.#transport.read(path, withRates('territories'), options);
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
    return readPublication(this.#transport, date, options);
  }

  /**
   * The rates for an OSS return of a quarter, `2023-Q4`: those of its last day, or the next ones after it.
   *
   * This method and the next three throw `NotFoundError` with `retryAfterSeconds` while it is not certain which
   * publication the law means, for example before the end of the quarter.
   */
  async fxOss(period: string, options?: CallOptions): Promise<ReturnRates> {
    return readRule(this.#transport, { rule: 'oss', period }, options);
  }

  /** The rates for an IOSS return of a month, `2026-02`: those of its last day, or the next ones after it. */
  async fxIoss(period: string, options?: CallOptions): Promise<ReturnRates> {
    return readRule(this.#transport, { rule: 'ioss', period }, options);
  }

  /** The rates for the customs value in a month, `2026-01`, in the Member States with the euro. */
  async fxCustoms(period: string, options?: CallOptions): Promise<CustomsRates> {
    return readRule(this.#transport, { rule: 'customs', period }, options);
  }

  /** The rates for a tax point, a day or an instant with its offset; with `bank: 'nbp'` or `'cnb'` those of that bank. */
  async fxVat(taxPoint: string, options: BankVatOptions): Promise<BankTaxPointRates>;
  async fxVat(taxPoint: string, options?: VatOptions): Promise<TaxPointRates>;
  async fxVat(
    taxPoint: string,
    options: VatOptions | BankVatOptions = {},
  ): Promise<TaxPointRates | BankTaxPointRates> {
    return readRule(this.#transport, { ...options, rule: 'vat', taxPoint }, options);
  }

  /** The latest publication of a national bank, or that of a date. */
  async fxBank(bank: BankName, date?: string, options?: CallOptions): Promise<BankSnapshot> {
    const path = datedPath(`/fx/${pathSegment('bank', bank)}`, date);
    return this.#transport.read(path, withRates('rates'), options);
  }

  /** The dates of all stored exchange rates, the oldest first. */
  async fxDates(span: DateSpan = {}, options?: CallOptions): Promise<DateList> {
    return this.#transport.read(`/fx/dates${queryString(span)}`, withRates('dates'), options);
  }

  /** The dates of all stored publications of a national bank, the oldest first. */
  async fxBankDates(bank: BankName, span: DateSpan = {}, options?: CallOptions): Promise<DateList> {
    const path = `/fx/${pathSegment('bank', bank)}/dates${queryString(span)}`;
    return this.#transport.read(path, withRates('dates'), options);
  }

  /** The rates of up to ten currencies in a range of dates, the oldest first. */
  async fxRange({ currencies, ...span }: FxRangeQuery, options?: CallOptions): Promise<FxRange> {
    const path = `/fx/range${queryString({ ...span, currencies: currencies.join(',').toUpperCase() })}`;
    return this.#transport.read(path, withRates('rates'), options);
  }

  /**
   * Converts an amount with the rates of one publication: exactly, rounded once at the end.
   *
   *     await vatfx.convert('19.90', 'EUR', 'USD');   // { amount: '23.09', currency: 'USD', … }
   *     await vatfx.convert('1000000', 'USD', 'EUR', { rule: 'oss', period: '2023-Q4' });
   *     await vatfx.convert('230.00', 'EUR', 'PLN', { rule: 'vat', taxPoint: '2026-03-03', country: 'PL', bank: 'nbp' });
   *
   * With a rule, a currency that has become the euro has its irrevocable rate, even if the publication has another.
   */
  async convert(
    amount: Amount,
    from: string,
    to: string,
    options: ConvertOptions = {},
  ): Promise<Conversion> {
    const snapshot = await readChosen(this.#transport, options);
    return convertAmount(snapshot, { amount, from, to }, options);
  }

  /**
   * Checks whether a VAT number is registered (interface 4.5). `country` is an ISO code; Greece is `GR` or `EL`.
   * The number may have blanks, and the letters of that country in front. A number alone has to begin with them:
   *
   *     await vatfx.checkVat('DE', '999999901');
   *     await vatfx.checkVat('DE999999901');
   *
   * An outage of the registry is an error, never `valid: false`.
   */
  async checkVat(country: string, number: string, options?: CallOptions): Promise<VatCheck>;
  async checkVat(number: string, options?: CallOptions): Promise<VatCheck>;
  async checkVat(
    first: string,
    second?: string | CallOptions,
    third?: CallOptions,
  ): Promise<VatCheck> {
    const { country, number, options } = readCheckArguments(first, second, third);
    const path = `/vatcheck/${pathSegment('country', country)}/${pathSegment('number', number)}`;
    return this.#transport.read(path, withoutRates('valid'), options);
  }

  /**
   * The events of the event log, each once and in order, without end (rule E7): requests wait for the next event, and are
   * repeated after outages. `signal` and `break` end the loop.
   *
   *     for await (const event of vatfx.events({ after: storedCursor, type: 'rates.changed' })) {
   *       await handle(event);
   *       await store(event.cursor);
   *     }
   *
   * Throws `CursorExpiredError` if events after the cursor are deleted, and `InvalidInputError` for a cursor of another
   * service.
   */
  events<T extends EventType = EventType>(
    query: EventQuery<T> & FollowOptions = {},
  ): AsyncGenerator<LoggedEvent<T>, void, undefined> {
    const { signal, onCursor, onRetry, ...wanted } = query;
    return followEvents<T>(this.#transport, wanted, { signal, onCursor, onRetry });
  }

  /** One page of the event log; `events` is easier. */
  async eventPage<T extends EventType = EventType>(
    query: EventQuery<T> = {},
    options?: CallOptions,
  ): Promise<EventPage<T>> {
    return readEventPage<T>(this.#transport, query, options);
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
