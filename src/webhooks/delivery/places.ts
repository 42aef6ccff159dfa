import type { ClaimRequest } from './store.ts';

/**
 * Places for attempts that are under way at the same time.
 *
 * A subscription has at most four. Subscriptions whose last attempt failed share some of the places, so that any
 * number of dead receivers leaves room for the others. The subscriptions of one key have at most 32 together, in
 * each lane: otherwise a key whose receivers are slow but succeed would delay other keys' deliveries by 15 s.
 */
const placesMax = 512;
const failingPlacesMax = 128;
const perSubscriptionMax = 4;
const perKeyMax = 32;

export type Lane = 'healthy' | 'failing';
type Holder = { readonly subscriptionId: string; readonly keyId: string };

export class Places {
  readonly #perSubscription = new Count();
  readonly #perKey = { healthy: new Count(), failing: new Count() };
  readonly #perLane = { healthy: 0, failing: 0 };

  /** Places that a lane may take now; 0 or less if there are none. */
  free(lane: Lane): number {
    const { healthy, failing } = this.#perLane;
    const free = placesMax - healthy - failing;
    return lane === 'healthy' ? free : Math.min(free, failingPlacesMax - failing);
  }

  /** The limits of a claim request that keep each subscription and each key within its places. */
  limits(lane: Lane): Pick<ClaimRequest, 'busy' | 'busyKeys' | 'roomOf' | 'roomOfKey'> {
    const perKey = this.#perKey[lane];
    return {
      busy: this.#perSubscription.atLeast(perSubscriptionMax),
      busyKeys: perKey.atLeast(perKeyMax),
      roomOf: (id) => perSubscriptionMax - this.#perSubscription.of(id),
      roomOfKey: (id) => perKeyMax - perKey.of(id),
    };
  }

  take(lane: Lane, holder: Holder): void {
    this.#add(lane, holder, 1);
  }

  release(lane: Lane, holder: Holder): void {
    this.#add(lane, holder, -1);
  }

  #add(lane: Lane, { subscriptionId, keyId }: Holder, by: 1 | -1): void {
    this.#perLane[lane] += by;
    this.#perSubscription.add(subscriptionId, by);
    this.#perKey[lane].add(keyId, by);
  }
}

/** Counts by id; ids with count 0 are not stored. */
class Count {
  readonly #counts = new Map<string, number>();

  of(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  add(id: string, by: number): void {
    const count = this.of(id) + by;
    if (count === 0) this.#counts.delete(id);
    else this.#counts.set(id, count);
  }

  atLeast(least: number): string[] {
    return [...this.#counts].flatMap(([id, count]) => (count >= least ? id : []));
  }
}
