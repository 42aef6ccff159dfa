import { describe, expect, it } from 'vitest';
import {
  answeredCheck,
  evidenceOf,
  fileOf,
  matchedText,
} from '../../../../test/vat-check/support/made-evidence.ts';
import { verifyEvidence } from './verify.ts';

describe('verifyEvidence of an answer that differs from the schema (rule K7)', () => {
  it('reads the bytes as the service has read them', async () => {
    const check = {
      requestDate: '2026-11-20+01:00',
      consultationNumber: null,
      traderMatch: { ...answeredCheck.traderMatch, city: null },
    };
    const response = matchedText
      .replace('2026-11-20', '2026-11-20T17:00:01.000')
      .replace('<ns2:traderCityMatch>2', '<ns2:traderCityMatch>0')
      .replace('<ns2:requestIdentifier>WAPIAAAAZNgfuVoL</ns2:requestIdentifier>', '<ns2:more/>')
      .replace('<ns2:vatNumber>', '<ns2:vatNumber>ES');

    const { faults } = await verifyEvidence(fileOf(evidenceOf({ check, response })));

    expect(faults).toEqual([]);
  });
});
