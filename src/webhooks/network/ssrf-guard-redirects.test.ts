import { connect } from 'node:net';
import { Agent } from 'undici';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { countConnections } from '../../../test/support/connection-count.ts';
import { serveHttp } from '../../../test/support/loopback-server.ts';
import { reportFigure } from '../../../test/support/proof.ts';
import { noResolve } from '../../../test/support/send-guarded.ts';
import { systemClock } from '../../platform/time/time.ts';
import { createAddressPolicy } from './address-class.ts';
import { attemptDelivery } from '../delivery/http-sender.ts';
import { createSigningSecret, prepareSecret } from '../signature.ts';
import { createSsrfGuard } from './ssrf-guard.ts';

describe('redirects of receivers (R18, contract C29)', () => {
  const seen = { refused: 0, connections: 0 };
  const codes = [301, 302, 303, 307, 308];
  afterAll(() =>
    reportFigure(
      'R18',
      `redirects with ${seen.refused} of ${codes.length} codes not followed: ${seen.connections} connections`,
    ),
  );

  /** Delivers to a receiver that redirects to an allowed address, so that only not following prevents the connection. */
  async function deliver(code: number, listenerPort: number) {
    const opened: number[] = [];
    const receiverUrl = await serveHttp((_, response) => {
      response.writeHead(code, { location: `http://127.0.0.1:${listenerPort}/inside` }).end();
    });
    const guard = createSsrfGuard({
      isAllowed: createAddressPolicy(['127.0.0.1/32']),
      resolve: noResolve,
      openSocket: (to) => {
        opened.push(to.port);
        return connect(to);
      },
    });
    const agent = new Agent({ connect: guard.connect });
    onTestFinished(async () => agent.destroy());
    const { attempt } = await attemptDelivery(
      { dispatcher: agent, clock: systemClock },
      {
        url: receiverUrl,
        eventId: 'evt_1',
        body: Buffer.from('{}'),
        signingKeys: [prepareSecret(createSigningSecret(new Uint8Array(32)))],
        // Sent to no other host than the receiver's.
        headers: [['authorization', 'Bearer gateway']],
      },
    );
    return { attempt, ports: opened, receiverPort: Number(new URL(receiverUrl).port) };
  }

  it.each(codes)('end an attempt: %i', async (code) => {
    const listener = await countConnections();

    const { attempt, ports, receiverPort } = await deliver(code, listener.port);

    seen.connections += listener.count;
    expect(attempt).toMatchObject({ statusCode: code, error: undefined });
    expect(ports).toEqual([receiverPort]);
    expect(listener.count).toBe(0);
    seen.refused += 1;
  });
});
