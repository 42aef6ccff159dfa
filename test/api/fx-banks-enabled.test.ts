import { describe, expect, it } from 'vitest';
import { plainDefaults } from '../support/plain-config.ts';
import type { Answer } from '../support/send-request.ts';
import { startService } from '../support/start-service.ts';

const lived = ['2026-03-02T15:00:00Z', '2026-03-03T15:00:00Z', '2026-03-04T00:10:00Z'];
const march = { at: '2026-03-02T15:00:00Z', fxFrom: '2026-02-02' };

const errorOf = ({ status, text }: Answer) => [
  status,
  (JSON.parse(text) as { readonly error: string }).error,
];

describe('a bank that FX_BANKS does not name (rule N1)', () => {
  it('is answered by a 404, asked for nothing, and shown nowhere', async () => {
    const service = await startService({
      ...march,
      config: { fxBanks: plainDefaults().fxBanks },
      lived,
    });

    const shown = [
      await service.get('/status'),
      await service.sendToOps('/status'),
      await service.sendToOps('/metrics'),
    ].map(({ text }) => text);
    expect(shown.filter((text) => /nbp|cnb/i.test(text))).toEqual([]);
    const { requests } = service.sandbox;
    expect([...requests.of('nbp'), ...requests.of('cnb')]).toEqual([]);
    for (const path of [
      '/fx/nbp',
      '/fx/nbp.csv',
      '/fx/cnb/2026-03-03',
      '/fx/nbp/dates',
      '/fx/vat/2026-03-03?country=PL&bank=nbp',
    ]) {
      expect(errorOf(await service.get(path))).toEqual([404, 'fx bank not enabled']);
    }
  });

  it('before its first run has no data', async () => {
    const service = await startService({ ...march, config: { fxBanks: ['nbp', 'cnb'] } });

    expect(errorOf(await service.get('/fx/nbp'))).toEqual([404, 'no fx data yet']);
    expect(errorOf(await service.get('/fx/nbp/2026-03-02'))).toEqual([
      404,
      'fx snapshot not found',
    ]);
    const law = await service.get('/fx/vat/2026-03-02?country=PL&bank=nbp');
    expect(errorOf(law)).toEqual([404, 'fx rate not published yet']);
  });
});
