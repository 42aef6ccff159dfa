import type { BankSnapshot, FxSnapshot } from './api-types.ts';
import type { ConvertibleRates } from './conversion.ts';
import type { ConvertOptions, FxOptions } from './convert-options.ts';
import { InvalidArgumentError, NotFoundError } from './errors.ts';
import { type FxRule, rulePath } from './legal-rates.ts';
import { datedPath } from './path.ts';
import { type CallOptions, type Transport, withRates } from './transport.ts';

/** Reads the newest publication, or that of a date; of a date without one, the one before it if `fallBack` says so. */
export async function readPublication(
  transport: Transport,
  date: string | undefined,
  options: FxOptions,
): Promise<FxSnapshot> {
  try {
    return await transport.read(datedPath('/fx', date), withRates('rates'), options);
  } catch (error) {
    const before = error instanceof NotFoundError ? error.previousDate : undefined;
    if (options.fallBack !== 'previous' || before === undefined) throw error;
    return transport.read(datedPath('/fx', before), withRates('rates'), options);
  }
}

/** Reads the rates that a law chooses. */
export async function readRule<T extends FxSnapshot | BankSnapshot>(
  transport: Transport,
  rule: FxRule,
  options?: CallOptions,
): Promise<T> {
  return transport.read(rulePath(rule), withRates('rates'), options);
}

/** Reads the publication that a conversion uses. */
export async function readChosen(
  transport: Transport,
  options: ConvertOptions,
): Promise<ConvertibleRates | BankSnapshot> {
  if (options.rule === undefined) return readPublication(transport, options.date, options);
  // Either would be another publication than the one that the law means.
  for (const field of ['date', 'fallBack'] as const) {
    if (options[field] !== undefined) {
      throw new InvalidArgumentError(field, `no ${field}, because a rule is given`);
    }
  }
  return readRule(transport, options, options);
}
