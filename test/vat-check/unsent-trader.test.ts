import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/platform/config/secret.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { startService } from '../support/start-service.ts';
import { postCheck, sendToChecks } from './support/stored-checks-api.ts';

const trader = { name: 'Test GmbH', city: 'Stadt' };
const austrian = { countryCode: 'AT', vatNumber: 'U99999901', registry: 'bzst' };

/** Makes a check; returns it with the text of its evidence. */
async function makeEvidence(asked: object) {
  const hmrcClientSecret = new Secret('s3cret-of-hmrc', '(set)');
  const service = await startService({
    config: {
      registries: ['vies', 'hmrc', 'bzst'],
      hmrcClientId: 'app',
      hmrcClientSecret,
      hmrcControl: 'GB948561936944',
      requesters: 'DE123456789',
    },
  });
  const { check } = await postCheck(service, asked);
  const { text } = await sendToChecks(service, 'GET', `/${check.id}/evidence`);
  return { check, text };
}

describe('evidence of a question that has not all of the trader (rules M14 and K16)', () => {
  const requester = { countryCode: 'GB', vatNumber: '146295999727' };
  const british = { countryCode: 'GB', vatNumber: '553557881', requester };

  it.each<[string, object, object]>([
    ['a company type for the BZSt', austrian, { ...trader, companyType: 'AT-1' }],
    ['a street without name and city for the BZSt', austrian, { street: 'Teststr. 1' }],
    ['any data for HMRC', british, trader],
  ])('holds: %s', async (_, question, written) => {
    const { check, text } = await makeEvidence({ ...question, trader: written });

    expect(check).toMatchObject({ status: 'answered', valid: true, trader: written });
    expect((await verifyEvidence(Buffer.from(text))).faults).toEqual([]);
  });

  it('does not hold if a field that is compared was not sent', async () => {
    const { text } = await makeEvidence({ ...austrian, trader });
    const manifest = JSON.parse(atob(JSON.parse(text).manifest));
    manifest.check.trader.street = 'Teststr. 1';
    const changed = { ...JSON.parse(text), manifest: btoa(JSON.stringify(manifest)) };

    const { faults } = await verifyEvidence(Buffer.from(JSON.stringify(changed)));

    expect(faults).toContainEqual(expect.stringContaining('trader.street of the check is'));
  });
});
