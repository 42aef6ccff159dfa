import { beforeAll } from 'vitest';
import {
  shareService,
  type StartOptions,
  startService,
  type TestService,
} from '../../support/start-service.ts';

/** Starts a service that may deliver to the receivers of its own sandbox, like the demo. */
export async function startWebhooks(options: StartOptions = {}): Promise<TestService> {
  const service = await startService(options);
  await allowReceivers(service);
  return service;
}

/** Starts one such service for all tests of a file or of a `describe`. */
export function shareWebhooks(options: StartOptions = {}): () => TestService {
  const service = shareService(options);
  beforeAll(async () => allowReceivers(service()));
  return service;
}

/** The sandbox's port is known only once it runs, and settings are read at the start. */
async function allowReceivers(service: TestService): Promise<void> {
  Object.assign(service.config, {
    webhookAllowHttp: true,
    webhookAllowPorts: [443, 8443, Number(new URL(service.sandbox.url).port)],
    webhookAllowCidrs: ['127.0.0.1/32'],
  });
  await service.restart();
}
