export { VatfxClient } from './client.ts';
export type * from './api-types.ts';
export type { CreateCheckOptions, GetCheckOptions, WaitOptions } from './checks.ts';
export type { ConvertOptions, FxOptions } from './convert-options.ts';
export {
  type Amount,
  type Conversion,
  type ConversionOptions,
  type ConversionRequest,
  type ConvertibleRates,
  convertAmount,
} from './conversion.ts';
export type { Rounding } from './decimal.ts';
export * from './errors.ts';
export type { Decimal } from './exact-json.ts';
export type { FollowOptions } from './follow-events.ts';
export type { BankTaxPointRule, FxRule, TaxPointRule } from './legal-rates.ts';
// Named exports go before those of `api-types.ts`: these types are narrower there, or have more.
export type { EventPage, EventQuery, LoggedEvent } from './logged-event.ts';
export type { ErrataKinds, ErrataList, ErrataQuery, RateSnapshot } from './vat-rates.ts';
export type { JudgedRate, RateQuestion } from './rate-of.ts';
export type { RetryOptions } from './retry.ts';
export type { CallOptions, VatfxOptions } from './transport.ts';
export { type CountryAndNumber, readVatNumber } from './vat-number.ts';
export {
  checkWebhookSecret,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
} from './verify-webhook.ts';
export type { Webhooks } from './webhooks.ts';
