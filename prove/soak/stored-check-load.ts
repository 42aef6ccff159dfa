import type { Answer, TestRequest } from '../../test/support/send-request.ts';
import type { RequestKind } from './request-kinds.ts';

/** A caller of the soak's load, whose unexpected answers are counted. */
export type SoakCaller = {
  /** Sends a request; undefined if the answer was not the expected one. */
  readonly expect: (
    kind: Pick<RequestKind, 'name' | 'expected'>,
    question: TestRequest,
  ) => Promise<Answer | undefined>;
  /** Counts an error, such as an answer that is wrong as a whole. */
  readonly note: (sentence: string) => void;
  /** Pauses, but not beyond the end of the load. */
  readonly rest: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  /** The ids of the checks that callers delete, each before its deletion is requested. */
  readonly deletedChecks: Set<string>;
};

/** A check of a registry that is up ends within this time, also on a busy machine. */
const endsWithinMs = 30_000;
const pauseMs = 300;
/** Number of different VAT numbers; small, so that what the service remembers of them does not grow. */
const numbers = 50;
const json = { 'content-type': 'application/json' };
const requester = { countryCode: 'NL', vatNumber: '854265259B01' };

/** Stores a check, polls it to its end, reads its evidence, and deletes every second one. */
export async function changeStoredChecks(caller: SoakCaller): Promise<void> {
  const { expect, rest, isStopped, deletedChecks } = caller;
  for (let n = 0; !isStopped(); n += 1) {
    const created = await expect(kind('check stored', 201, 202), {
      method: 'POST',
      path: '/vatchecks',
      headers: json,
      body: JSON.stringify({
        countryCode: 'DE',
        vatNumber: String(200_000_000 + (n % numbers)),
        requester,
        waitSeconds: n % 2,
      }),
    });
    const id = readCheck(created)?.id;
    if (id !== undefined && (await pollToEnd(caller, id))) {
      const path = `/vatchecks/${id}`;
      await expect(kind('evidence', 200), { path: `${path}/evidence` });
      if (n % 2 === 1) {
        deletedChecks.add(id);
        await expect(kind('check deleted', 204), { path, method: 'DELETE' });
      }
    }
    await rest(pauseMs);
  }
}

/** Waits for the end of a check; false if the load has ended before. */
async function pollToEnd({ expect, note, isStopped }: SoakCaller, id: string): Promise<boolean> {
  const deadlineMs = performance.now() + endsWithinMs;
  while (!isStopped()) {
    const read = await expect(kind('check polled', 200), {
      path: `/vatchecks/${id}?waitSeconds=1`,
    });
    const check = readCheck(read);
    if (check?.status === 'answered') return true;
    if (check?.status !== 'pending' || performance.now() > deadlineMs) {
      note(`a stored check is ${check?.status ?? 'unknown'} after its polls`);
      return false;
    }
  }
  return false;
}

function kind(name: string, ...expected: readonly number[]) {
  return { name, expected };
}

function readCheck(answer: Answer | undefined): { id: string; status: string } | undefined {
  return answer === undefined
    ? undefined
    : (JSON.parse(answer.text) as { id: string; status: string });
}

/** The requests of the steady load about stored checks and watches. */
export const storedCheckKinds: readonly RequestKind[] = [
  // The registry of France is down: such a check stays pending, is tried again, and expires in three simulated days.
  {
    name: 'check for later',
    share: 1,
    expected: [202],
    requestOf: (n) => ({
      method: 'POST',
      path: '/vatchecks',
      headers: json,
      body: JSON.stringify({
        countryCode: 'FR',
        vatNumber: String(10_000_000_000 + (n % numbers)),
        waitSeconds: 0,
      }),
    }),
  },
  {
    name: 'checks listed',
    share: 2,
    expected: [200],
    requestOf: (n) => ({ path: `/vatchecks?limit=${10 + (n % 10)}&status=answered` }),
  },
  {
    name: 'checks as CSV',
    share: 1,
    expected: [200],
    requestOf: () => ({ path: '/vatchecks.csv?limit=20' }),
  },
  // Each is checked again once in a simulated day.
  {
    name: 'watch put',
    share: 1,
    expected: [200, 201],
    requestOf: (n) => ({
      method: 'PUT',
      path: `/vatwatches/DE/${300_000_000 + (n % numbers)}`,
      headers: json,
      body: JSON.stringify({ everyDays: 1 }),
    }),
  },
  { name: 'watches listed', share: 1, expected: [200], requestOf: () => ({ path: '/vatwatches' }) },
];
