import type { Config } from '../../platform/config/options.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Clock } from '../../platform/time/time.ts';
import type { Timers } from '../../platform/time/timers.ts';
import type { Upstream } from '../../platform/upstream/upstream.ts';
import type { Controls } from '../calls/asked-registry.ts';
import type { Authorization, Question, Registry } from './registry.ts';

/** What a service with its settings has of a registry, beside what evidence is read with. */
export type RegistryService = {
  readonly registry: Registry;
  readonly urlOf: (config: Config) => string;
  /** The environment variable of this address. */
  readonly urlVariable: string;
  /**
   * The question that the service asks for itself, which is about no customer (rule K21a); undefined if it is about the newest
   * number that was answered.
   */
  readonly ownQuestion: (config: Config) => Question | undefined;
  /** Makes what keeps the tokens of the registry; left out if it needs none. */
  readonly authorize?: (
    config: Config,
    parts: { readonly upstream: Upstream; readonly timers: Timers },
  ) => Authorization;
  /** Left out if a "no" of the registry needs no control question. */
  readonly control?: (
    config: Config,
    parts: { readonly db: Db; readonly clock: Clock },
  ) => Controls;
  /** What an operator can do if the registry refuses the credentials, or the number of its own question; else: check the address. */
  readonly advice?: { readonly credentials?: string; readonly number?: string };
};
