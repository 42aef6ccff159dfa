import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox.ts';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import { capturedFolder, hasCaptured } from '../../../test/support/sandbox/upstream-reader.ts';
import { postVies, readCheck, viesRequest } from '../../../test/support/sandbox/vies-reader.ts';
import { registerTraders } from '../../../test/support/sandbox/scripts.ts';

async function open(at: string): Promise<Sandbox> {
  return (await openSandbox({ at })).sandbox;
}

/** The answer to one of the captured requests. */
async function answerTo(sandbox: Sandbox, request: string): Promise<string> {
  return (await postVies(sandbox, request)).text();
}

async function text(sandbox: Sandbox, countryCode: string, vatNumber: string): Promise<string> {
  return (await postVies(sandbox, viesRequest(countryCode, vatNumber))).text();
}

describe.skipIf(!hasCaptured)('the wire form of VIES beside captured answers', () => {
  const read = (name: string) => readFileSync(`${capturedFolder}/vies/${name}`, 'utf8');

  it('prints the fault of a rejected input byte for byte', async () => {
    const sandbox = await open('2026-11-20T12:00:00Z');

    expect(await text(sandbox, 'GB', '999999901')).toBe(read('fault_INVALID_INPUT.xml'));
  });

  it('prints an unregistered number of Czechia byte for byte', async () => {
    const sandbox = await open('2022-09-09T12:00:00Z');

    expect(await text(sandbox, 'CZ', '12345678')).toBe(
      read('checkVat_invalid_CZ_empty-strings_2022-09-09.xml'),
    );
  });

  it('prints a trader byte for byte', async () => {
    const captured = read('checkVat_valid_NL_2023-01-25.xml');
    const { vatNumber = '', name = '', address = '' } = readCheck(captured);
    const sandbox = await open('2023-01-25T12:00:00Z');
    registerTraders(sandbox.scenario, { country: 'NL', number: vatNumber, name, address });

    expect(await text(sandbox, 'NL', vatNumber)).toBe(captured);
  });

  it('prints the answer for a requester byte for byte, but for the consultation number', async () => {
    const captured = read('checkVatApprox_valid_NL_requester_2023-08-11.xml');
    const { vatNumber = '', traderName = '', traderAddress = '' } = readCheck(captured);
    const sandbox = await open('2023-08-11T12:00:00Z');
    const trader = { country: 'NL', number: vatNumber, name: traderName, address: traderAddress };
    registerTraders(sandbox.scenario, trader);

    const answer = await answerTo(
      sandbox,
      read('checkVatApprox_request_NL_requester_2023-08-11.xml'),
    );

    const withoutNumber = (xml: string) => xml.replace(/WAPI[0-9A-Za-z]{12}</, 'WAPI<');
    expect(withoutNumber(answer)).toBe(withoutNumber(captured));
    expect(withoutNumber(answer)).not.toBe(answer);
  });

  it('sends back what Spain received, in the elements of the captured answer', async () => {
    const sandbox = await open('2023-01-12T12:00:00Z');
    const name = 'RODRISA AUTOMOVILES';
    const address = 'AVDA REINA VICTORIA\n28430 ALPEDRETE';
    sandbox.scenario.apply({
      vies: {
        register: [
          {
            country: 'ES',
            number: 'B83891812',
            name: '---',
            address: '---',
            held: { name, address },
          },
        ],
      },
    });

    const answer = await answerTo(
      sandbox,
      read('checkVatApprox_request_ES_trader_no-requester_2023-01-12.xml'),
    );

    const captured = read('checkVatApprox_valid_ES_trader-echo_no-requester_2023-01-12.xml');
    // That copy was indented, which the reader does not accept.
    expect(answer).toBe(captured.replaceAll(/>\s+</g, '><').trimEnd());
  });
});

describe('the wire form of VIES', () => {
  it('had other prefixes and no header before August 2022', async () => {
    const sandbox = await open('2026-11-20T12:00:00Z');
    const today = readCheck(await text(sandbox, 'DE', '100'));
    sandbox.scenario.apply({ vies: { prefixes: 'soap' } });

    const answer = await text(sandbox, 'DE', '100');
    const fault = await text(sandbox, 'DE', '301');

    expect(answer).toMatch(/^<soap:Envelope [^>]*><soap:Body><checkVatResponse xmlns="urn:/);
    expect(readCheck(answer)).toEqual(today);
    expect(fault).toContain('<soap:Fault><faultcode>soap:Server</faultcode>');
    expect(readCheck(fault).faultstring).toBe('MS_UNAVAILABLE');
  });
});
