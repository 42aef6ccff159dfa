import { bytesAsAnswer } from '../../../src/platform/upstream/bytes-as-answer.ts';
import { UpstreamError } from '../../../src/platform/upstream/upstream-error.ts';
import { bzst } from '../../../src/vat-check/registries/bzst/bzst.ts';
import type { Question, RegistryResult } from '../../../src/vat-check/registries/registry.ts';

/** The authority's own pair of test numbers. */
export const simpleQuestion: Question = {
  vatNumber: { registryCode: 'AT', number: 'U12345678' },
  requester: { registryCode: 'DE', number: '123456789' },
  trader: {},
};

export const qualifiedQuestion: Question = {
  ...simpleQuestion,
  trader: { name: 'Test GmbH', street: 'Teststr. 1', postcode: '12345', city: 'Stadt' },
};

/** The text of an answer; a field that is undefined is left out. */
export function bzstText(status: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    id: '0123456789abcdef',
    anfrageZeitpunkt: '2025-07-01T10:27:01.123456789+02:00',
    status,
    ...fields,
  });
}

/** Reads a body as an answer of the BZSt under an HTTP status. */
export async function readBzst(
  body: string | Uint8Array,
  { status = 200, question = qualifiedQuestion } = {},
): Promise<RegistryResult> {
  const at = { upstream: 'bzst', operation: 'abfrage' };
  return bzst.answer(
    bytesAsAnswer(Buffer.from(body), at, { httpStatus: status, date: null }),
    question,
  );
}

/** The outcome of an answer, with the kind of the failure in place of an error that is thrown. */
export async function outcomeOf(...given: Parameters<typeof readBzst>) {
  try {
    return (await readBzst(...given)).outcome;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: 'thrown', as: error.kind } as const;
  }
}

/** Whether an outcome says that the number is not registered. */
export function isNo(outcome: Awaited<ReturnType<typeof outcomeOf>>): boolean {
  return outcome.kind === 'answered' && !outcome.answer.valid;
}
