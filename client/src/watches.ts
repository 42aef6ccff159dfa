import type { Watch, WatchInput, WatchPage, WatchQuery } from './api-types.ts';
import { pathSegment, queryString } from './path.ts';
import { type CallOptions, type Transport, withoutRates } from './transport.ts';

/**
 * The VAT numbers that the key watches (rule K13). The event `vat.changed` says when an answer differs from the one
 * before.
 */
export class Watches {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Watches a number, or changes its watch. Spellings of one number are one watch. */
  async put(
    country: string,
    number: string,
    wanted: WatchInput = {},
    options?: CallOptions,
  ): Promise<Watch> {
    const shape = withoutRates('everyDays');
    const request = { body: wanted, shape, options };
    return this.#transport.send('PUT', watchPath(country, number), request);
  }

  async get(country: string, number: string, options?: CallOptions): Promise<Watch> {
    return this.#transport.read(watchPath(country, number), withoutRates('everyDays'), options);
  }

  /** Ends a watch. Its checks stay stored. */
  async delete(country: string, number: string, options?: CallOptions): Promise<void> {
    await this.#transport.send('DELETE', watchPath(country, number), { options });
  }

  /** One page of the watches. */
  async list({ cursor, limit }: WatchQuery = {}, options?: CallOptions): Promise<WatchPage> {
    const path = `/vatwatches${queryString({ cursor, limit })}`;
    return this.#transport.read(path, withoutRates('watches'), options);
  }
}

function watchPath(country: string, number: string): string {
  return `/vatwatches/${pathSegment('country', country)}/${pathSegment('number', number)}`;
}
