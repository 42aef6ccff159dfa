import { VatfxClient, type VatfxOptions } from '../../../client/src/index.ts';
import type { TestService } from '../../support/start-service.ts';

/** A client of a service that runs, with its ready key unless told otherwise. */
export function clientOf(service: TestService, options: Partial<VatfxOptions> = {}): VatfxClient {
  return new VatfxClient({ url: service.apiUrl, key: service.key, ...options });
}

/** What the service has answered so far, as its log has it: `200 /rates`. */
export function answeredBy({ logLines }: TestService): string[] {
  return logLines.flatMap((line) => {
    const { status, route } = JSON.parse(line) as { status?: number; route?: string };
    return status === undefined ? [] : [`${status} ${route ?? 'unknown'}`];
  });
}

/** How a promise was rejected; throws when it was not. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call succeeded');
}
