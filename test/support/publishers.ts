import type { BasicKind } from '../../src/platform/publication/data-set-kinds.ts';
import type { IsoDate } from '../../src/platform/time/time.ts';
import { isPublicationDay } from '../../src/sandbox/ecb/calendar.ts';
import type { SimulatorName } from '../../src/sandbox/request-log.ts';

type Publisher = {
  readonly upstream: SimulatorName;
  /** Whether the upstream has a new snapshot on a day. */
  readonly publishesOn: (day: IsoDate) => boolean;
};

/** The upstream of each data set in the sandbox. */
export const publishers: Readonly<Record<BasicKind, Publisher>> = {
  rates: { upstream: 'tedb', publishesOn: () => true },
  fx: { upstream: 'ecb', publishesOn: isPublicationDay },
};
