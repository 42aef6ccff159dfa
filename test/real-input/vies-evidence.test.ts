import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExchangeRecorder } from '../../src/vat-check/exchange-recorder.ts';
import { makeEvidence } from '../../src/vat-check/stored/evidence/evidence.ts';
import { makeSigningKey } from '../../src/vat-check/stored/evidence/signing-key.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { runCommand } from '../support/run-cli.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { type Approx, checkApprox } from '../vat-check/support/check-against.ts';
import { answeredCheck, fileOf } from '../vat-check/support/made-evidence.ts';
import { print, RawRegistry } from '../vat-check/support/raw-registry.ts';
import { postCheck, sendToChecks } from '../vat-check/support/stored-checks-api.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';

const noTrader = { trader: null, traderMatch: null };

const captures = [
  {
    file: 'checkVatApprox_valid_NL_requester_2023-08-11.xml',
    query: { number: ['NL', '854265259B01'], requester: ['IE', '6388047V'] },
    check: {
      ...noTrader,
      countryCode: 'NL',
      vatNumber: '854265259B01',
      queriedNumber: 'NL854265259B01',
      requester: { countryCode: 'IE', vatNumber: '6388047V' },
      requestDate: '2023-08-11+02:00',
      valid: true,
      name: 'GITHUB B.V.',
      address: 'VIJZELSTRAAT 00068\n1017HL AMSTERDAM',
      consultationNumber: 'WAPIAAAAYnkVx97D',
    },
  },
  {
    file: 'checkVatApprox_false_NL_requester_empty-identifier_2023-08-11.xml',
    query: { number: ['NL', '9999999'], requester: ['IE', '6388047V'] },
    check: {
      ...noTrader,
      countryCode: 'NL',
      vatNumber: '9999999',
      queriedNumber: 'NL9999999',
      requester: { countryCode: 'IE', vatNumber: '6388047V' },
      requestDate: '2023-08-11+02:00',
      valid: false,
      name: null,
      address: null,
      consultationNumber: null,
    },
  },
  {
    file: 'checkVatApprox_valid_ES_trader-echo_no-requester_2023-01-12.xml',
    query: {
      number: ['ES', 'B83891812'],
      trader: {
        name: 'Rodrisa Automoviles',
        street: 'Avda. Reina Victoria',
        postcode: '28430',
        city: 'Madrid',
      },
    },
    check: {
      countryCode: 'ES',
      vatNumber: 'ESB83891812',
      queriedNumber: 'ESB83891812',
      requester: null,
      trader: {
        name: 'Rodrisa Automoviles',
        street: 'Avda. Reina Victoria',
        postcode: '28430',
        city: 'Madrid',
        companyType: null,
      },
      traderMatch: { name: 'valid', street: 'valid', postcode: 'valid', city: 'invalid' },
      requestDate: '2023-01-12+01:00',
      valid: true,
      name: null,
      address: null,
      consultationNumber: null,
    },
  },
] as const satisfies readonly {
  readonly file: string;
  readonly query: Approx;
  readonly check: object;
}[];

describe.skipIf(!hasCaptures)(`evidence of recorded answers of VIES${unlessAbsent}`, () => {
  it.each(captures)('proves what the registry answered: $file', async ({ file, query, check }) => {
    const recorder = new ExchangeRecorder(new SettableClock('2026-11-20T16:00:00Z'));
    await using registry = await RawRegistry.start((socket) =>
      socket.end(print(200, readCapture(`vies/${file}`).toString())),
    );
    await checkApprox(registry.url, { ...query, recorder });
    const { recorded } = recorder;
    if (recorded === undefined) throw new Error('nothing was recorded');

    const evidence = makeEvidence(
      { check: { ...answeredCheck, ...check }, exchange: recorded },
      makeSigningKey(),
    );

    const { faults, reply } = await verifyEvidence(fileOf(evidence));
    expect(faults).toEqual([]);
    expect(reply).toMatchObject({ kind: 'answered', answer: { valid: check.valid } });
    const other = { ...answeredCheck, ...check, valid: !check.valid };
    const forged = makeEvidence({ check: other, exchange: recorded }, makeSigningKey());
    expect((await verifyEvidence(fileOf(forged))).faults).toHaveLength(1);
  });

  it.each(captures)('holds after a whole check of the service: $file', async ({ file, check }) => {
    await using registry = await RawRegistry.start((socket) =>
      socket.end(print(200, readCapture(`vies/${file}`).toString())),
    );
    const service = await startService({ config: { viesUrl: registry.url } });
    const { countryCode, vatNumber, requester, trader } = check;

    const { check: stored } = await postCheck(service, {
      countryCode,
      vatNumber,
      requester,
      trader,
    });
    const { text } = await sendToChecks(service, 'GET', `/${stored.id}/evidence`);

    expect(stored).toMatchObject({ status: 'answered', ...check });
    const saved = join(temporaryFolder(), `${stored.id}.json`);
    writeFileSync(saved, text);
    const { code, stdout } = await runCommand(['evidence', 'verify', saved]);
    // Without published keys nothing is proven (rule K16).
    expect(code).toBe(3);
    expect(stdout).toContain(`answer       valid: ${check.valid}, on ${check.requestDate}`);
  });
});
