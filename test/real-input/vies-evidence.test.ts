import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { runCommand } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { print, RawRegistry } from '../vat-check/support/raw-registry.ts';
import { postCheck, sendToChecks } from '../vat-check/support/stored-checks-api.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';

const github = {
  trader: null,
  traderMatch: null,
  countryCode: 'NL',
  requester: { countryCode: 'IE', vatNumber: '6388047V' },
  requestDate: '2023-08-11+02:00',
};
const trader = {
  name: 'Rodrisa Automoviles',
  street: 'Avda. Reina Victoria',
  postcode: '28430',
  city: 'Madrid',
};
const unknown = { name: null, address: null, consultationNumber: null };

const captures = [
  {
    file: 'checkVatApprox_valid_NL_requester_2023-08-11.xml',
    check: {
      ...github,
      vatNumber: '854265259B01',
      valid: true,
      name: 'GITHUB B.V.',
      address: 'VIJZELSTRAAT 00068\n1017HL AMSTERDAM',
      consultationNumber: 'WAPIAAAAYnkVx97D',
    },
  },
  {
    file: 'checkVatApprox_false_NL_requester_empty-identifier_2023-08-11.xml',
    check: { ...github, ...unknown, vatNumber: '9999999', valid: false },
  },
  {
    file: 'checkVatApprox_valid_ES_trader-echo_no-requester_2023-01-12.xml',
    check: {
      ...unknown,
      countryCode: 'ES',
      vatNumber: 'ESB83891812',
      requester: null,
      trader: { ...trader, companyType: null },
      traderMatch: { name: 'valid', street: 'valid', postcode: 'valid', city: 'invalid' },
      requestDate: '2023-01-12+01:00',
      valid: true,
    },
  },
];

describe.skipIf(!hasCaptures)(`evidence of recorded answers of VIES${unlessAbsent}`, () => {
  it.each(captures)('proves what the registry answered: $file', async ({ file, check }) => {
    await using registry = await RawRegistry.start((socket) =>
      socket.end(print(200, readCapture(`vies/${file}`).toString())),
    );
    const service = await startService({ config: { viesUrl: registry.url } });
    const { countryCode, vatNumber, requester } = check;

    const asked = { countryCode, vatNumber, requester, trader: check.trader };
    const { check: stored } = await postCheck(service, asked);
    const { text } = await sendToChecks(service, 'GET', `/${stored.id}/evidence`);

    expect(stored).toMatchObject({ status: 'answered', ...check });
    const saved = join(temporaryFolder(), `${stored.id}.json`);
    writeFileSync(saved, text);
    const { code, stdout } = await runCommand(['evidence', 'verify', saved]);
    // Without published keys nothing is proven (rule K16).
    expect(code).toBe(3);
    expect(stdout).toContain(`answer       valid: ${check.valid}, on ${check.requestDate}`);
    const { faults, reply } = await verifyEvidence(Buffer.from(text));
    expect([faults, reply]).toMatchObject([[], { answer: { valid: check.valid } }]);
  });
});
