import { dataSets } from '../../../src/composition/data-sets.ts';
import { type BasicKind, dataSetKinds } from '../../../src/platform/publication/data-set-kinds.ts';
import type { IsoDate } from '../../../src/platform/time/time.ts';
import type { TestService } from '../../support/start-service.ts';
import type { UpstreamWorld } from './upstream-world.ts';

/** The published data of a service, as a caller sees it: a body, or the status if there is none. */
export type Published = Readonly<Record<BasicKind, string>>;

async function readDay(service: TestService, day: IsoDate): Promise<Published> {
  return readPublished(service, `/${day}`);
}

async function readLatest(service: TestService): Promise<Published> {
  return readPublished(service, '');
}

async function readPublished(service: TestService, end: string): Promise<Published> {
  const bodies = await Promise.all(
    dataSetKinds.map(async (kind) => {
      const { status, text } = await service.get(`${dataSets[kind].api.path}${end}`);
      return [kind, status === 200 ? text : String(status)] as const;
    }),
  );
  return Object.fromEntries(bodies) as Published;
}

/** The outcome of a day with a fault on the connection to an upstream. */
export type DayUnderFault = {
  /** The latest before, and while the jobs were under way. */
  readonly before: Published;
  readonly meanwhile: Published;
  /** The day's own, after the jobs and after everything was well again. */
  readonly after: Published;
  readonly healed: Published;
  /** The data of the day without a fault. */
  readonly right: Published;
};

/** How long a job may hang in a test. */
const hangMs = 700;

/** Runs a day with a fault, and the hour after it without. `unstick` is called while a job hangs. */
export async function liveUnderFault(
  { service, twin, nextDay }: UpstreamWorld,
  fault: {
    readonly begin: () => void;
    readonly end: () => void;
    readonly unstick: () => void;
  },
): Promise<DayUnderFault> {
  const day = nextDay();
  await twin().liveAt(`${day}T16:00:00Z`);
  const before = await readLatest(service());

  fault.begin();
  const living = service().liveAt(`${day}T16:00:00Z`);
  const meanwhile = await readLatest(service());
  const hanging = setInterval(fault.unstick, hangMs);
  await living.finally(() => clearInterval(hanging));
  const after = await readDay(service(), day);
  fault.end();
  await service().liveAt(`${day}T17:30:00Z`);

  const [healed, right] = [await readDay(service(), day), await readDay(twin(), day)];
  return { before, meanwhile, after, healed, right };
}
