/**
 * A program that was written against the client of version 0.3.0. It has every name that this client exports, and calls every
 * method. It is compiled, never run: as part of this project with the present client, and by `compatibility.test.ts` with both.
 */
import * as vatfx from '../../../client/src/index.ts';
import {
  signWebhook,
  type SignedHeaders,
  type SignOptions,
  testSecret,
} from '../../../client/src/testing.ts';

const retry: vatfx.RetryOptions = { attempts: 3, firstDelayMs: 100 };
const options: vatfx.VatfxOptions = { url: 'http://127.0.0.1', key: 'vfx_x', retry };
const client = new vatfx.VatfxClient(options);
const call: vatfx.CallOptions = { timeoutMs: 1_000, fresh: true };
const date = '2026-11-20';

export async function readRates(): Promise<readonly (vatfx.Decimal | null | undefined)[]> {
  const span: vatfx.DateSpan = { from: date, to: undefined };
  const dates: vatfx.RateDates = await client.rateDates(span, call);
  const snapshot: vatfx.RateSnapshot = await client.rates(dates.categoriesFrom ?? undefined);
  const entry: vatfx.RateEntry | undefined = snapshot.rates['AT'];
  const filter: vatfx.ChangeQuery = { since: date, country: 'HU', limit: 20 };
  const list: vatfx.ChangeList = await client.changes(filter);
  const { changes }: vatfx.DatedChanges = await client.changesOn(date);
  const rows: readonly vatfx.RateChange[] = [...list.changes, ...changes];
  const query: vatfx.ErrataQuery = { country: 'DE', date };
  const errata: vatfx.ErrataList = await client.errata(query);
  const known: readonly vatfx.Erratum[] = [...errata.errata, ...(snapshot.errata ?? [])];
  const laws = known.flatMap(({ law, by }) => (by === 'operator' ? [] : law));
  return [entry?.standard, ...(entry?.reduced ?? []), ...rows.map((row) => row.new), ...laws];
}

export async function readGoods(): Promise<readonly vatfx.CategoryRow[]> {
  const query: vatfx.CategoryQuery = { date, country: 'BE', cn: '4902', territories: 'include' };
  const answer: vatfx.CategoryRows = await client.categories(query, call);
  if (answer.ambiguous === true) console.log(answer.uncoded?.['BE']?.rates, answer.standard['BE']);
  const { categories }: vatfx.CategoryList = await client.categoryList();
  const count: number = categories.reduce((sum, one) => sum + one.countries, 0);
  const changed: vatfx.CategoryChanges = await client.categoryChangesOn(date);
  const first: vatfx.CategoryChange | undefined = changed.changes[0];
  const treatments = new Map<vatfx.RateTreatment, number>([['zero', count]]);
  console.log(first?.before[0]?.comment, first?.after.length);
  return answer.rows.filter(({ treatment, matched }) => treatments.has(treatment) && matched);
}

export async function describeTerritory(): Promise<string> {
  const query: vatfx.TerritoryQuery = { country: 'ES', postcode: '35001' };
  const { territories, decided }: vatfx.TerritoryList = await client.territories(query);
  const territory: vatfx.Territory | undefined = territories[0];
  const postcode: vatfx.TerritoryPostcode | undefined = territory?.postcodes[0];
  const tax: vatfx.Decimal | undefined = territory?.rates?.standard;
  const kind: 'outside' | 'special rates' | 'part of another state' | 'goods only' | undefined =
    territory?.vatTerritory;
  return [decided === true, kind, tax, postcode?.prefix, territory?.tedbRates[0]?.rate].join();
}

export async function convert(): Promise<vatfx.Conversion> {
  const fallBack: vatfx.FxOptions = { fallBack: 'previous' };
  const latest: vatfx.FxSnapshot = await client.fx(date, fallBack);
  const wanted: vatfx.FxRangeQuery = { from: date, to: date, currencies: ['USD'] };
  const range: vatfx.FxRange = await client.fxRange(wanted);
  const { dates }: vatfx.DateList = await client.fxDates();
  const usd: readonly (vatfx.Decimal | null)[] = range.rates['USD'] ?? [];
  const returns: vatfx.ReturnRates = await client.fxOss('2026-Q3');
  const isMonthly: boolean = (await client.fxIoss('2026-10')).rule === 'ioss';
  const fixed: vatfx.FixedRate | undefined = returns.fixed['HRK'];
  const customs: vatfx.CustomsRates = await client.fxCustoms('2026-11');
  const ofEcb: vatfx.TaxPointRule = { country: 'PL', bank: 'ecb' };
  const invoice: vatfx.TaxPointRates = await client.fxVat(date, ofEcb);
  const country: 'PL' | 'CZ' | null = invoice.country;
  const ofBank: vatfx.BankTaxPointRule = { country: 'PL', bank: 'nbp' };
  const polish: vatfx.BankTaxPointRates = await client.fxVat(date, ofBank);
  const bank: vatfx.BankName = 'cnb';
  await client.fxBankDates(bank);
  // Of rates that the program has stored itself.
  const quote: string = polish.quote.toLowerCase();
  const stored: vatfx.BankSnapshot = { ...(await client.fxBank(bank)), quote, table: null };
  const own: vatfx.ConvertibleRates = { date, base: 'EUR', rates: { USD: '1.1' } };
  const request: vatfx.ConversionRequest = { amount: 10n, from: 'EUR', to: 'USD' };
  const rounding: vatfx.Rounding = 'half-even';
  const decimals: vatfx.ConversionOptions = { decimals: 4, rounding };
  const amounts: vatfx.Amount[] = ['1', vatfx.convertAmount(own, request, decimals).amount];
  vatfx.convertAmount(stored, { amount: 1, from: 'EUR', to: country ?? 'PLN' });
  const rule: vatfx.FxRule = { rule: 'oss', period: '2026-Q3' };
  const choice: vatfx.ConvertOptions = isMonthly ? { date } : rule;
  console.log(latest, dates, usd, fixed?.since, customs.decidedOn, returns.inForceSince);
  return client.convert(amounts[0] ?? 1, 'USD', 'EUR', choice);
}

export async function checkNumbers(text: string): Promise<vatfx.EndedCheck | undefined> {
  const parts: vatfx.CountryAndNumber | undefined = vatfx.readVatNumber(text);
  const answer: vatfx.VatCheck = await client.checkVat(text, { fresh: true });
  await client.checkVat('AT', 'U99999901', call);
  const requester: vatfx.CountryAndVatNumber = { countryCode: 'GR', vatNumber: '1' };
  const trader: vatfx.Trader = { name: answer.name, companyType: null };
  const number = { countryCode: parts?.countryCode ?? '', vatNumber: parts?.vatNumber ?? '' };
  const one: vatfx.BatchedCheck = { ...number, requester, trader, maxAgeSeconds: null };
  const input: vatfx.CheckInput = { ...one, expiresInHours: null, waitSeconds: null };
  const create: vatfx.CreateCheckOptions = { idempotencyKey: 'a' };
  const check: vatfx.StoredCheck = await client.checks.create(input, create);
  const patience: vatfx.GetCheckOptions = { waitSeconds: 10 };
  const later = await client.checks.get(check.id, patience);
  if (later.status === 'answered') {
    const answered: vatfx.AnsweredCheck = later;
    const valid: boolean = answered.valid;
    const match: vatfx.Match | null | undefined = answered.traderMatch?.name;
    console.log(valid, match, answered.requestDate.slice(0, 10));
  } else {
    const unanswered: vatfx.UnansweredCheck = later;
    const nothing: null = unanswered.valid;
    console.log(nothing, unanswered.error, unanswered.trader?.companyType);
  }
  const status: vatfx.CheckStatus = later.status;
  const query: vatfx.CheckQuery = { status, valid: true, reference: undefined, limit: 1 };
  const page: vatfx.CheckPage = await client.checks.list(query);
  const created: vatfx.NewBatch = await client.checks.createBatch([one]);
  const skipped: readonly vatfx.SkippedRow[] = created.skipped;
  const batch: vatfx.Batch = await client.checks.getBatch(created.batchId);
  const evidence: vatfx.Evidence = await client.checks.evidence(check.id);
  const { keys }: vatfx.EvidenceKeys = await client.checks.evidenceKeys();
  const isKnown: boolean = keys.some(({ kid }) => kid === evidence.keyId);
  await client.checks.delete(check.id);
  const wait: vatfx.WaitOptions = { timeoutMs: 1_000 };
  console.log(page.nextCursor, skipped[0]?.line, batch.pending, isKnown);
  return client.checks.wait(check.id, wait);
}

export async function watch(): Promise<vatfx.Watch | undefined> {
  const wanted: vatfx.WatchInput = { everyDays: null, requester: null, reference: 'a' };
  const { lastCheck, error }: vatfx.Watch = await client.watches.put('AT', 'U1', wanted);
  const query: vatfx.WatchQuery = { cursor: undefined, limit: 10 };
  const page: vatfx.WatchPage = await client.watches.list(query);
  if (error === 'QUOTA_EXCEEDED' || lastCheck === null) await client.watches.delete('AT', 'U1');
  return page.watches[0] ?? client.watches.get('AT', 'U1');
}

export async function subscribe(webhooks: vatfx.Webhooks): Promise<vatfx.DeliveryAttempt[]> {
  const types: vatfx.EventType[] = ['rates.changed', 'vat.checked'];
  const input: vatfx.SubscriptionInput = { url: 'https://a.example', events: types };
  const made: vatfx.NewSubscription = await webhooks.create(input);
  const change: vatfx.SubscriptionChange = { status: 'disabled', description: null };
  const changed: vatfx.Subscription = await webhooks.update(made.id, change);
  const rotated: vatfx.RotatedSecret = await webhooks.rotateSecret(made.id, { overlapHours: 1 });
  const sent: vatfx.Delivery = await webhooks.test((await webhooks.get(changed.id)).id);
  const status: vatfx.DeliveryStatus = sent.status;
  const query: vatfx.DeliveryQuery = { status, limit: 5 };
  const page: vatfx.DeliveryPage = await webhooks.deliveries(made.id, query);
  await webhooks.replayDelivery(made.id, sent.id);
  for (const { id } of await webhooks.list()) await webhooks.remove(id);
  return rotated.secret === made.secret ? [] : page.deliveries.flatMap((one) => one.attempts);
}

export async function receive(body: string): Promise<vatfx.WebhookEvent> {
  const sign: SignOptions = { id: 'evt_1' };
  const signed: SignedHeaders = await signWebhook(body, [testSecret], sign);
  const headers: vatfx.WebhookHeaders = signed;
  const tolerance: vatfx.VerifyOptions = { toleranceSeconds: 60 };
  return vatfx.verifyWebhook(body, headers, testSecret, tolerance);
}

export function describeEvent(event: vatfx.WebhookEvent): string {
  const handlers = {
    'rates.changed': ({ changes }: vatfx.RatesChangedEvent) => changes[0]?.field,
    'categories.changed': ({ changes }: vatfx.CategoriesChangedEvent) => changes[0]?.category,
    'vat.checked': ({ check }: vatfx.VatCheckedEvent) => check.answeredAt,
    'vat.changed': ({ current, changed }: vatfx.VatChangedEvent) => changed[0] ?? current.name,
    'vat.watch_failed': ({ watch: of }: vatfx.VatWatchFailedEvent) => of.error,
    'webhook.test': ({ count }: vatfx.WebhookTestEvent) => String(count satisfies 0),
  };
  const handle = handlers[event.type] as (one: vatfx.WebhookEvent) => string | null | undefined;
  return `${event.id} ${event.timestamp} ${handle(event) ?? ''}`;
}

export async function follow(signal: AbortSignal): Promise<string> {
  const query: vatfx.EventQuery<'vat.changed'> = { after: 'now', type: 'vat.changed', limit: 9 };
  const page: vatfx.EventPage<'vat.changed'> = await client.eventPage(query);
  const first: vatfx.LoggedEvent | undefined = page.events[0];
  const loop: vatfx.FollowOptions = { signal, onCursor: (cursor) => console.log(cursor) };
  for await (const event of client.events({ ...query, ...loop })) {
    const valid: boolean = event.current.valid && event.previous.valid;
    if (valid) return event.cursor;
  }
  return page.hasMore ? page.nextCursor : (first?.cursor ?? '');
}

export async function readState(): Promise<readonly unknown[]> {
  const usage: vatfx.Usage = await client.usage();
  const limits: readonly vatfx.Allowance[] = [usage.rateLimit, usage.quota];
  const state: vatfx.ServiceStatus = await client.status();
  const rates: vatfx.DataSetStatus = state.dataSets.rates;
  const bank: vatfx.DataSetStatus | undefined = state.dataSets.nbp;
  const run: vatfx.RunStatus | null = rates.lastRun;
  const vies: vatfx.RegistryStatus | undefined = state.registry;
  const registry: vatfx.MemberStateStatus | undefined = state.memberStates['EL'];
  const late: number = rates.publicationsMissed + (vies?.waitingChecks ?? 0);
  client.clearCache();
  return [limits[0]?.remaining, run?.failure, bank?.remark ?? late, registry?.breaker];
}

export function explain(error: unknown): string | number | undefined {
  if (!(error instanceof vatfx.VatfxError)) return undefined;
  if (error instanceof vatfx.ScopeMissingError) return error.scope;
  if (error instanceof vatfx.NotFoundError) return error.previousDate ?? error.nextDate;
  if (error instanceof vatfx.InvalidInputError) return error.line ?? error.field;
  if (error instanceof vatfx.CursorExpiredError) return error.firstCursor;
  if (error instanceof vatfx.RegistryUnavailableError)
    return error.part satisfies vatfx.RegistryPart;
  if (error instanceof vatfx.SignatureError) return error.problem satisfies vatfx.SignatureProblem;
  if (error instanceof vatfx.InvalidArgumentError) return error.expected;
  if (error instanceof vatfx.TimeoutError) return error.scope;
  if (error instanceof vatfx.UnexpectedAnswerError) return error.status;
  if (error instanceof vatfx.UnknownCurrencyError) return error.currency;
  const refusals = [
    vatfx.ConflictError,
    vatfx.InvalidKeyError,
    vatfx.NetworkError,
    vatfx.QuotaExceededError,
    vatfx.RateLimitedError,
    vatfx.RegistryFailedError,
    vatfx.RequesterNotAllowedError,
    vatfx.ServiceUnavailableError,
  ];
  const refusal: vatfx.Refusal | undefined =
    error instanceof vatfx.ApiStatusError ? error : undefined;
  return refusals.some((one) => error instanceof one) ? refusal?.retryAfterSeconds : error.message;
}
