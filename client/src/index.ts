export { VatfxClient } from './client.ts';
export type { ConvertOptions, FxOptions } from './convert-options.ts';
export type * from './bank-rates.ts';
export type { CreateCheckOptions, GetCheckOptions, WaitOptions } from './checks.ts';
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
export type * from './exchange-rates.ts';
export type { FollowOptions } from './follow-events.ts';
export type {
  CustomsRates,
  FixedRate,
  FxRule,
  ReturnRates,
  TaxPointRates,
  TaxPointRule,
} from './legal-rates.ts';
export type * from './logged-event.ts';
export type * from './rate-categories.ts';
export type { JudgedRate, RateQuestion } from './rate-of.ts';
export type { RetryOptions } from './retry.ts';
export type * from './service-status.ts';
export type * from './stored-check.ts';
export type * from './territories.ts';
export type { CallOptions, VatfxOptions } from './transport.ts';
export type * from './usage.ts';
export type { VatCheck } from './vat-check.ts';
export { type CountryAndNumber, readVatNumber } from './vat-number.ts';
export type * from './vat-rates.ts';
export {
  type CategoriesChangedEvent,
  type RatesChangedEvent,
  type VatChangedEvent,
  type VatWatchFailedEvent,
  type VatCheckedEvent,
  checkWebhookSecret,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookTestEvent,
} from './verify-webhook.ts';
export type * from './watch.ts';
export type * from './webhooks.ts';
