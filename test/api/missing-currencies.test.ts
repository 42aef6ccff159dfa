import { expect, it } from 'vitest';
import { startService, type TestService } from '../support/start-service.ts';

type Status = {
  readonly dataSets: {
    readonly fx: { readonly remark: string | null; readonly correctionCount?: number };
  };
};

/** The remark on the API port and on the operations port, and the number of corrections. */
async function read(service: TestService): Promise<readonly unknown[]> {
  const answers = [await service.get('/status'), await service.sendToOps('/status')];
  const [publicly, forOperators] = answers.map(({ text }) => JSON.parse(text) as Status);
  const { remark, correctionCount } = publicly!.dataSets.fx;
  expect(forOperators?.dataSets.fx.remark).toBe(remark);
  return [remark, correctionCount];
}

it('a currency that the ECB leaves out is a remark, and a correction if its later files have it (contract C19, C20)', async () => {
  const service = await startService({ lived: ['2026-11-19T16:00:00Z'] });
  expect(await read(service)).toEqual([null, 0]);
  service.scenario.apply({ ecb: { missing: ['NOK'] } });

  await service.liveAt('2026-11-20T16:00:00Z');
  expect(await read(service)).toEqual(['2026-11-20 is published without NOK', 0]);
  expect((await service.get('/fx/2026-11-20')).text).not.toContain('NOK');

  service.scenario.apply({ ecb: { missing: [] } });
  await service.liveAt('2026-11-23T16:00:00Z');
  expect(await read(service)).toEqual(['2026-11-20 lacks NOK, which 2026-11-23 has again', 1]);

  await service.liveAt('2026-11-24T16:00:00Z');
  expect(await read(service)).toEqual([null, 1]);
});

it('a currency that became the euro is no remark', async () => {
  const service = await startService({
    at: '2025-12-31T16:00:00Z',
    fxFrom: '2025-12-01',
    lived: ['2025-12-31T16:00:00Z'],
  });
  await service.liveAt('2026-01-02T16:00:00Z');
  expect(await read(service)).toEqual([null, 0]);
  expect((await service.get('/fx')).text).not.toContain('BGN');
});
