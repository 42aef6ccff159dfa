import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sendRequest } from '../support/send-request.ts';
import { startService } from '../support/start-service.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { answerText } from './support/vies-texts.ts';
import { patienceMs } from '../support/eventually.ts';

describe('a stop (operator.md)', () => {
  it('lets a check in flight be answered, and closes its connections', async () => {
    const held: Socket[] = [];
    const registry = await RawRegistry.start((socket) => void held.push(socket));
    onTestFinished(async () => registry[Symbol.asyncDispose]());
    const service = await startService({ config: { viesUrl: registry.url } });
    const headers = { authorization: `Bearer ${service.key}` };
    const once = new Agent({ keepAlive: false });

    const running = sendRequest(service.apiUrl, { path: '/vatcheck/AT/U99999901', headers }, once);
    await vi.waitFor(() => expect(held).toHaveLength(1), patienceMs);
    const stopping = service.stop();
    held[0]?.write(print(200, answerText()));

    const { status, text } = await running;
    expect([status, JSON.parse(text)]).toMatchObject([200, { valid: true }]);
    await stopping;
    await vi.waitFor(() => expect(registry.openSockets).toBe(0), patienceMs);
  });
});
