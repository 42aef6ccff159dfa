import type { Answer } from '../../support/send-request.ts';
import { addCaller } from '../../api/support/caller.ts';
import type { TestService } from '../../support/start-service.ts';
import { type Credential, goodCredential } from './credentials.ts';

/** The times at which jobs of the service have run, and the data that exists since. */
export const lived: readonly string[] = ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'];
export const rateDates: readonly string[] = ['2026-11-19', '2026-11-20'];
export const newestRates = '2026-11-20';
/** The Member State whose registry is down. */
export const stateDown = 'LU';

/** Every publication day from the first of September on: no holiday is among them. */
export const fxDates: readonly string[] = Array.from({ length: 81 }, (_, at) =>
  new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10),
).filter((date) => ![0, 6].includes(new Date(date).getUTCDay()));

/** The same of the national banks, without the holidays of their countries. */
export const bankDates = {
  nbp: fxDates.filter((date) => date !== '2026-11-11'),
  cnb: fxDates.filter((date) => !['2026-09-28', '2026-10-28', '2026-11-17'].includes(date)),
};

/** A subscription, as far as its caller knows. */
export type KnownSubscription = {
  isEnabled: boolean;
  readonly deliveries: string[];
  /** Replayed deliveries: time stands still, so all were replayed within the last minute. */
  readonly replayed: Set<string>;
  cursor: string | undefined;
};

/**
 * One caller and its knowledge: the subscriptions of its key, and the answer of every public path.
 * It sends one request after the other, so the expected answers are known exactly.
 */
export class World {
  readonly good: Credential;
  readonly poor: Credential;
  readonly refused: readonly Credential[];
  readonly subscriptions = new Map<string, KnownSubscription>();
  /** Ids of subscriptions that belong to another key or are deleted. */
  readonly foreignIds: string[];
  /** ETag and body of each answer, by `variantOf`. No snapshot is published meanwhile, so they must stay the same. */
  readonly read = new Map<string, { readonly etag: string; readonly text: string }>();

  private constructor(parts: Pick<World, 'good' | 'poor' | 'refused' | 'foreignIds'>) {
    this.good = parts.good;
    this.poor = parts.poor;
    this.refused = parts.refused;
    this.foreignIds = parts.foreignIds;
  }

  static async open(
    service: TestService,
    shared: Pick<World, 'poor' | 'refused'> & { readonly foreignIds: readonly string[] },
  ): Promise<World> {
    const { key } = await addCaller(service, { rateLimit: 'none', quota: 'none' });
    return new World({ ...shared, good: goodCredential(key), foreignIds: [...shared.foreignIds] });
  }

  /** Notes a change that was answered with success. */
  learn(operation: string, ids: Readonly<Record<string, string>>, answer: Answer): void {
    // CSV has nothing that a later request needs.
    if (answer.status >= 300 || operation.endsWith('Csv')) return;
    const said = (answer.text === '' ? {} : JSON.parse(answer.text)) as Said;
    const known = this.subscriptions.get(ids['id'] ?? '');
    if (operation === 'createSubscription') {
      this.subscriptions.set(said.id, {
        isEnabled: true,
        deliveries: [],
        replayed: new Set(),
        cursor: undefined,
      });
    } else if (operation === 'removeSubscription') {
      this.subscriptions.delete(ids['id'] ?? '');
      this.foreignIds.push(ids['id'] ?? '');
    } else if (known === undefined) {
      return;
    } else if (operation === 'changeSubscription') {
      known.isEnabled = said.status === 'enabled';
    } else if (operation === 'sendTest') {
      known.deliveries.push(said.id);
    } else if (operation === 'replayDelivery') {
      known.replayed.add(said.id);
    } else if (operation === 'listDeliveries') {
      known.cursor = said.nextCursor ?? known.cursor;
    }
  }
}

type Said = {
  readonly id: string;
  readonly status: string;
  readonly nextCursor?: string | null;
};
