import { noDefaults } from '../requests/check-request.ts';
import { describe, expect, it } from 'vitest';
import {
  asml,
  fromChecks,
  fromJson,
  fullItem,
  github,
  item,
  number,
  terms,
} from '../../../../test/support/read-batches.ts';

describe('a batch as JSON (rule K12)', () => {
  it('has checks as on their own, and rejected ones for numbers that can never be queried', async () => {
    const full = {
      ...fullItem.echo,
      requester: { countryCode: 'NL', vatNumber: '854265259B01' },
      trader: fullItem.trader,
      maxAgeSeconds: 60,
      expiresInHours: 1,
      reference: 'x;y',
    };
    const bad = { countryCode: 'GB', vatNumber: '1\u0000\uD835' };

    expect(await fromChecks(number, full, bad)).toEqual({
      kind: 'batch',
      skipped: [],
      items: [
        item,
        fullItem,
        { ...terms, kind: 'rejected', echo: { countryCode: 'GB', vatNumber: '1\uFFFD' } },
      ],
    });
  });

  it.each([
    [1, "invalid 'checks[1]' — expected a JSON object"],
    [{ ...number, vatNumber: 1 }, "invalid 'checks[1].vatNumber' — expected a VAT number"],
    [null, "invalid 'checks[1]' — expected a JSON object"],
    [{ ...number, waitSeconds: 1 }, "unknown field 'checks[1].waitSeconds'"],
    [{ countryCode: 'DE' }, "invalid 'checks[1].vatNumber' — expected a VAT number"],
    [
      { ...number, maxAgeSeconds: '1' },
      "invalid 'checks[1].maxAgeSeconds' — expected a whole number from 0 to 7776000",
    ],
    [{ ...number, trader: { x: 1 } }, "unknown field 'checks[1].trader.x'"],
    [{ ...number, trader: 1 }, "invalid 'checks[1].trader' — expected a JSON object"],
    [
      { ...number, requester: { countryCode: 'GB', vatNumber: '1' } },
      "invalid 'checks[1].requester' — expected a possible VAT number",
    ],
  ])('names the check and its field: %j', async (check, refusal) => {
    expect(await fromChecks(number, check)).toBe(`400 ${refusal}`);
  });

  it('has at most 1000 checks', async () => {
    const checks = Array.from({ length: 1000 }, () => number);

    expect(await fromChecks(...checks)).toMatchObject({ items: { length: 1000 } });
    expect(await fromChecks(...checks, {})).toEqual({ kind: 'tooMany' });
    // Not parsed: that would take 100 ms.
    expect(await fromJson('['.repeat(40_001))).toEqual({ kind: 'tooMany' });
    const signs = { ...number, reference: ',:[{'.repeat(25), trader: { name: '"\\'.repeat(100) } };
    expect(await fromChecks(...checks.map(() => signs))).toMatchObject({ items: { length: 1000 } });
  });

  it('names the check whose requester the key may not name', async () => {
    const checks = [number, { ...number, requester: { countryCode: 'NL', vatNumber: 'x' } }];
    const text = JSON.stringify({ checks }).replace('"x"', '"854265259B01"');

    expect(await fromJson(text, { ...noDefaults, ofKey: [asml] })).toEqual({
      kind: 'requesterNotAllowed',
      place: 'checks[1]',
    });
    expect(
      await fromJson(text, { ...noDefaults, ofKey: [github], ofService: [asml] }),
    ).toMatchObject({
      items: [{ requester: github }, { requester: github }],
    });
  });
});
