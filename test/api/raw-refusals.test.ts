import { describe, expect, it } from 'vitest';
import { RawConnection } from '../support/raw-connection.ts';
import { refusedHeads, smuggling, unreadableHeads } from '../support/raw-payloads.ts';
import { good, rawErrorForm, rawFormOf, readAll } from '../support/raw-requests.ts';
import { shareService } from '../support/start-service.ts';

const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

async function sendRaw(payload: string): Promise<RawConnection> {
  const connection = await RawConnection.open(service().apiUrl);
  connection.send(payload.replaceAll('{key}', service().key));
  return connection;
}

describe('a request that cannot be read (contract C2, C3)', () => {
  it.each(unreadableHeads)('gets a 400 for %s, and the connection ends', async (_what, payload) => {
    const connection = await sendRaw(payload);

    const answers = await readAll(connection);

    expect(answers.map(rawFormOf)).toEqual([rawErrorForm(400, 'bad request')]);
    expect((await service().get('/rates')).status).toBe(200);
  });

  it.each(smuggling)(
    'gets one 400 for %s, and no smuggled request is answered',
    async (_what, payload) => {
      const connection = await sendRaw(payload + good);

      const answers = await readAll(connection);

      expect(answers.map(rawFormOf)).toEqual([rawErrorForm(400, 'bad request')]);
      expect((await service().get('/rates')).status).toBe(200);
    },
  );

  it.each(refusedHeads)('with %s gets %i "%s"', async (_what, status, error, payload) => {
    const connection = await sendRaw(payload);
    const answers = await readAll(connection);

    expect(answers.map(rawFormOf)).toEqual([rawErrorForm(status, error)]);
    expect((await service().get('/rates')).status).toBe(200);
  });
});
