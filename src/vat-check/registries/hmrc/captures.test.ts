import { describe, expect, it } from 'vitest';
import { hasCaptures, readCapture, unlessAbsent } from '../../../../test/real-input/captures.ts';
import { bytesAsAnswer } from '../../../platform/upstream/bytes-as-answer.ts';
import { alone, type Question } from '../registry.ts';
import { hmrc } from './hmrc.ts';

const british = (number: string) => ({ registryCode: 'GB', number }) as const;
const unverified = alone(british('553557881'));
const verified: Question = { ...unverified, requester: british('146295999727') };
const amazon = british('727255821');

const date = 'Fri, 13 Feb 2026 23:59:59 GMT';
const credite = {
  valid: true,
  requestDate: '2019-01-31+00:00',
  name: 'Credite Sberger Donal Inc.',
  address: '131B Barton Hamlet\nSW97 5CK\nGB',
};
const no = { valid: false, requestDate: '2026-02-13+00:00', name: null, address: null };

async function read(name: string, httpStatus: number, question: Question) {
  const at = { upstream: 'hmrc', operation: 'response' };
  const bytes = readCapture(`registries/hmrc/${name}.json`);
  return hmrc.answer(bytesAsAnswer(bytes, at, { httpStatus, date }), question);
}

describe.skipIf(!hasCaptures)(`a captured answer of HMRC (rule M9)${unlessAbsent}`, () => {
  it.each<[string, number, Question, object]>([
    ['example_unverified_200', 200, unverified, credite],
    ['example_verified_200', 200, verified, { ...credite, consultationNumber: 'ypAeKRPlW' }],
    ['example_error_404', 404, verified, no],
    ['example_error_404', 404, unverified, no],
    [
      'reported_verified_2024-11-19',
      200,
      { ...alone(amazon), requester: amazon },
      {
        valid: true,
        requestDate: '2024-11-19+00:00',
        name: 'AMAZON EU SARL',
        address: '1 PRINCIPAL PLACE\nWORSHIP STREET\nLONDON\nEC2A 2FA\nGB',
        consultationNumber: 'RLH-RFQ-AFW',
      },
    ],
  ])('answers: %s, HTTP %i', async (name, status, question, answer) => {
    const { outcome, isUnconfirmed = false } = await read(name, status, question);

    const isNo = status === 404 && question === unverified;
    expect(outcome).toEqual({
      kind: 'answered',
      answer: { consultationNumber: undefined, traderMatch: {}, ...answer },
      maxAgeSeconds: undefined,
    });
    expect(isUnconfirmed).toBe(isNo);
  });

  it.each<[string, number, object]>([
    ['example_error_400_requester', 400, { kind: 'requesterRejected' }],
    ['example_error_400_target', 400, { kind: 'rejected' }],
    ['example_error_403_requester', 403, { kind: 'requesterRejected' }],
    ['example_error_500', 500, { kind: 'serviceUnavailable', because: 'down' }],
    ['seen_404_wrong_version_2025-02-17', 404, { kind: 'failed', failure: 'unexpectedAnswer' }],
  ])('does not answer: %s, HTTP %i', async (name, status, outcome) => {
    expect((await read(name, status, verified)).outcome).toEqual(outcome);
  });
});
