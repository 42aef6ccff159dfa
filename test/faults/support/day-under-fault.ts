import type { IsoDate } from '../../../src/platform/time.ts';
import type { TestService } from '../../support/start-service.ts';
import type { UpstreamWorld } from './upstream-world.ts';

const dataSets = ['rates', 'fx'] as const;

/** The published data of a service, as a caller sees it. */
export type Published = { readonly rates: string; readonly fx: string };

export async function readDay(service: TestService, day: IsoDate): Promise<Published> {
  const [rates, fx] = await Promise.all(dataSets.map(async (set) => service.get(`/${set}/${day}`)));
  return { rates: textOf(rates), fx: textOf(fx) };
}

export async function readLatest(service: TestService): Promise<Published> {
  const [rates, fx] = await Promise.all(dataSets.map(async (set) => service.get(`/${set}`)));
  return { rates: textOf(rates), fx: textOf(fx) };
}

/** The body; the status if there is none. */
function textOf(answer: { readonly status: number; readonly text: string } | undefined): string {
  return answer?.status === 200 ? answer.text : String(answer?.status);
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
