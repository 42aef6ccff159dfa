import { describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/start-service.ts';

const thursday = '2026-11-19T16:00:00Z';
const friday = '2026-11-20T16:00:00Z';

type Status = { readonly unknownTerritories: readonly string[] | null };

/** The field on the API port and on the operations port. */
async function unknownIn(service: TestService): Promise<readonly unknown[]> {
  const answers = [await service.get('/status'), await service.sendToOps('/status')];
  return answers.map(({ text }) => (JSON.parse(text) as Status).unknownTerritories);
}

const walser = { country: 'AT', place: 'Kleinwalsertal', value: '16' };
const zagori = { country: 'EL', place: 'Zagori', value: '8' };

describe('territories that the service does not know (rule G7)', () => {
  it('are in the status after their publication, in the log and the run, and never national', async () => {
    const service = await startService({ lived: [thursday] });
    expect(await unknownIn(service)).toEqual([[], []]);
    service.scenario.apply({ tedb: { regions: [walser, zagori] } });

    await service.liveAt(friday);

    const named = ['AT Kleinwalsertal', 'GR Zagori'];
    expect(await unknownIn(service)).toEqual([named, named]);
    const operator = JSON.parse((await service.sendToOps('/status')).text) as {
      readonly dataSets: { readonly rates: { readonly lastRun: { readonly detail: string } } };
    };
    expect(operator.dataSets.rates.lastRun.detail).toContain(
      'unknown territories: AT Kleinwalsertal; GR Zagori',
    );
    const rowsOf = async (query: string): Promise<readonly unknown[]> => {
      const { text } = await service.get(`/rates/categories?country=AT&category=REGION${query}`);
      return (JSON.parse(text) as { readonly rows: readonly unknown[] }).rows;
    };
    expect(await rowsOf('')).toEqual([]);
    expect(await rowsOf('&territories=include')).toContainEqual(
      expect.objectContaining({ territory: 'Kleinwalsertal', rate: 16 }),
    );
    expect((await service.get('/rates/2026-11-20')).text).toContain('"AT":{"country":"Austria"');
    expect(JSON.parse((await service.get('/rates')).text)).toMatchObject({
      rates: { AT: { reduced: [10, 13] } },
    });
  });

  it('are in the status after a restart, until a snapshot no longer names them', async () => {
    const service = await startService({ lived: [thursday] });
    service.scenario.apply({ tedb: { regions: [walser] } });
    await service.liveAt(friday);

    await service.stop();
    await service.start();
    expect(await unknownIn(service)).toEqual([['AT Kleinwalsertal'], ['AT Kleinwalsertal']]);

    service.scenario.apply({ tedb: { regions: [] } });
    await service.liveAt('2026-11-21T16:00:00Z');
    expect(await unknownIn(service)).toEqual([[], []]);
  });
});
