import type { IncomingHttpHeaders } from 'node:http';
import { serveHttp } from '../../support/loopback-server.ts';
import { startService, type StartOptions, type TestService } from '../../support/start-service.ts';

/** A received delivery. */
export type Delivered = { readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** Starts a service with delivery, and a receiver that records the deliveries. */
export async function startWithReceiver(
  options: StartOptions = {},
): Promise<{ readonly service: TestService; readonly url: string; readonly came: Delivered[] }> {
  const came: Delivered[] = [];
  const address = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      came.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
  });
  const service = await startService({
    ...options,
    config: {
      webhookAllowHttp: true,
      webhookAllowPorts: [Number(new URL(address).port)],
      webhookAllowCidrs: ['127.0.0.1/32'],
      ...options.config,
    },
  });
  service.startDelivery();
  return { service, url: `${address}/vat`, came };
}
