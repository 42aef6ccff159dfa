import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { packClient } from '../client/support/packed-client.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, newPage } from './support/browser.ts';

/** A page that uses the client. It loads the files of the package as plain modules. */
const script = `
  import { VatfxClient, VatfxError } from './index.js';
  const [url, key] = location.hash.slice(1).split('|');
  const vatfx = new VatfxClient({ url, key });
  const refused = await new VatfxClient({ url, key: key.slice(0, -1) }).rates().catch((error) => error);
  window.seen = {
    version: (await vatfx.rates()).version,
    again: (await vatfx.rates()).version,
    amount: (await vatfx.convert('100', 'EUR', 'EUR')).amount,
    check: await vatfx.checkVat('GR', '100'),
    refused: refused instanceof VatfxError,
  };`;

describe.skipIf(isWithoutBrowser)('the client in a browser', () => {
  let packed: ReturnType<typeof packClient>;
  beforeAll(() => {
    packed = packClient();
  });
  afterAll(() => packed.dispose());

  it('calls a service that allows the origin of its page', async () => {
    const origin = await serveHttp((request, response) => {
      const name = basename(new URL(request.url ?? '/', 'http://page').pathname);
      if (name.endsWith('.js')) {
        response.setHeader('content-type', 'text/javascript');
        response.end(readFileSync(join(packed.installed, 'dist', name)));
        return;
      }
      response.setHeader('content-type', 'text/html');
      response.end(name === '' ? `<script type="module">${script}</script>` : '');
    });
    const service = await startService({
      lived: ['2026-11-20T16:00:00Z'],
      config: { corsOrigins: [origin] },
    });
    const page = await newPage();

    await page.goto(`${origin}/#${service.apiUrl}|${service.key}`);
    const seen = await page.waitForFunction('window.seen');

    expect(await seen.jsonValue()).toMatchObject({
      version: '2026-11-20',
      again: '2026-11-20',
      amount: '100.00',
      check: { valid: true, name: 'John Doe' },
      refused: true,
    });
  });
});
