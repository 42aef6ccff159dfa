import { VatfxClient, type VatfxOptions } from '../../../client/src/index.ts';
import type { TestService } from '../../support/start-service.ts';

/** A client of a running service; by default with the service's test key. */
export function clientOf(service: TestService, options: Partial<VatfxOptions> = {}): VatfxClient {
  return new VatfxClient({ url: service.apiUrl, key: service.key, ...options });
}

/** The service's answers so far, from its log: `200 /rates`. */
export function answeredBy({ logLines }: TestService): string[] {
  return logLines.flatMap((line) => {
    const { status, route } = JSON.parse(line) as { status?: number; route?: string };
    return status === undefined ? [] : [`${status} ${route ?? 'unknown'}`];
  });
}

/** The error that a promise was rejected with; throws if it was fulfilled. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call succeeded');
}
