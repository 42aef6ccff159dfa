import type { Body } from '../check/extras.ts';
import type { Api } from '../session/api.ts';
import type { RequestOutcome } from '../session/failure.ts';
import { withinRateLimit } from '../session/rate-limit.ts';
import type { CountryAndVatNumber, Watch, WatchInput } from '../wire.ts';

/** The period of a watch that is not chosen, in days (rule K13). */
export const usualDays = 90;

/** The path of the watch of a number. */
export function watchPathOf({ countryCode, vatNumber }: CountryAndVatNumber): string {
  return `/vatwatches/${encodeURIComponent(countryCode)}/${encodeURIComponent(vatNumber)}`;
}

/** Creates the watch of a number, or changes all its settings. */
export async function putWatch(
  api: Api,
  number: CountryAndVatNumber,
  settings: Body<WatchInput>,
): Promise<RequestOutcome<Watch>> {
  const body = { type: 'application/json', text: JSON.stringify(settings) } as const;
  return withinRateLimit(async () =>
    api.change<Watch>({ method: 'PUT', path: watchPathOf(number), body }),
  );
}
