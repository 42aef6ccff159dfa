import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { Sandbox, SandboxOptions } from '../sandbox.ts';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import {
  capturedFolder,
  hasCaptured,
  postTedb,
  readRows,
  reduceRows,
  situationOn,
  tedbRequest,
} from '../../../test/support/sandbox/upstream-reader.ts';

async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  return (await openSandbox(options)).sandbox;
}

describe.skipIf(!hasCaptured)('the wire form of TEDB beside captured answers', () => {
  const read = (name: string) => readFileSync(`${capturedFolder}/tedb/${name}`, 'utf8');

  it('prints the fault of unknown Member States byte for byte', async () => {
    const response = await postTedb(
      await open(),
      tedbRequest(['DE', 'XX', 'FR', 'YY'], situationOn('2026-09-15')),
    );

    expect(response.status).toBe(500);
    expect(await response.text()).toBe(read('fault_XX-YY.xml'));
  });

  it('sends the headers of the real service', async () => {
    const { ok } = JSON.parse(read('http-exchanges.json')) as {
      ok: { response_headers: Record<string, string> };
    };
    const response = await postTedb(await open(), tedbRequest(['DE'], '<t:situationOn/>'));

    const constant = Object.entries(ok.response_headers).filter(
      ([name]) => name !== 'Date' && name !== 'Content-Length',
    );
    expect(constant.map(([name]) => [name, response.headers.get(name)])).toEqual(constant);
    expect(response.headers.get('Date')).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
    expect(response.headers.get('Content-Length')).toBe(String((await response.bytes()).length));
    expect(response.headers.get('Last-Modified')).toBeNull();
    expect(response.headers.get('Cache-Control')).toBeNull();
  });

  it.each([
    ['response_DE_2025-08-12.xml', ['DE']],
    ['response_IT-ES_2025-08-12.xml', ['IT', 'ES']],
    ['response_NL-BE_2025-08-12.xml', ['NL', 'BE']],
  ])('has the frame, the rates and the rows of %s', async (name, codes) => {
    const sandbox = await open();
    const response = await postTedb(sandbox, tedbRequest(codes, situationOn('2025-08-12')));
    const xml = await response.text();
    const captured = read(name);

    const frame = (text: string) => [text.split('<vatRateResults>')[0], text.slice(-70)];
    expect(frame(xml)).toEqual(frame(captured));

    const children = (text: string) => readRows(text).map((row) => row.children.join(' '));
    for (const sequence of [...children(xml), ...children(captured)]) {
      expect(sequence).toMatch(schemaSequence);
    }

    for (const code of codes) {
      const own = (text: string) =>
        readRows(text).filter(({ memberState }) => memberState === code);
      expect(reduceRows(own(xml))).toEqual(reduceRows(own(captured)));
      expect(own(xml).length / own(captured).length).toBeGreaterThan(0.9);
      expect(own(xml).length / own(captured).length).toBeLessThan(1.1);
      const standard = (text: string) =>
        own(text)
          .filter(({ type }) => type === 'STANDARD')
          .map(({ value }) => value);
      expect(standard(xml)).toEqual(standard(captured));
    }
  });
});

const schemaSequence =
  /^memberState type rate situationOn( cnCodes)?( cpaCodes)?( category)?( comment)?$/;
