import { startService, type StartOptions, type TestService } from '../../support/start-service.ts';

/** Services with both banks on Monday 2 March 2026, after both publications. */
export const monday = '2026-03-02T15:00:00Z';
export const world = {
  at: monday,
  fxFrom: '2026-02-02',
  config: { fxBanks: ['nbp', 'cnb'] },
} as const;
export const start = async (options: StartOptions = {}): Promise<TestService> =>
  startService({ ...world, lived: [monday], ...options });

type BankStatus = {
  readonly newestVersion: string | null;
  readonly publicationsMissed: number;
  readonly lastRun: {
    readonly outcome: string;
    readonly detail: string | null;
    readonly failure: string | null;
  };
  readonly corrections: readonly { readonly field: string; readonly upstream: string }[];
};

export async function statusOf(service: TestService, kind: string): Promise<BankStatus> {
  const { text } = await service.sendToOps('/status');
  return (JSON.parse(text) as { readonly dataSets: Record<string, BankStatus> }).dataSets[
    kind
  ] as BankStatus;
}

export async function tableOf(service: TestService, taxPoint: string): Promise<unknown> {
  const { text } = await service.get(`/fx/vat/${taxPoint}?country=PL&bank=nbp`);
  const { table, error } = JSON.parse(text) as { readonly table?: string; readonly error?: string };
  return table?.slice(0, 3) ?? error;
}

export const run = async (service: TestService, bank: 'nbp' | 'cnb' = 'nbp') =>
  service.core.jobs[bank]?.refresh(0);
