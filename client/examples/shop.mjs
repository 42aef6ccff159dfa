// URL=http://127.0.0.1:8080 KEY=vfx_… WEBHOOK_SECRET=whsec_… PORT=4000 node shop.mjs
import { log } from 'node:console';
import { createServer } from 'node:http';
import { env } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { checkWebhookSecret, VatfxClient, verifyWebhook } from 'vatfx-client';

checkWebhookSecret(env.WEBHOOK_SECRET); // Anybody can sign with an empty secret.
const vatfx = new VatfxClient({ url: env.URL, key: env.KEY });
const { AT } = (await vatfx.rates()).rates;
log(`Austria: ${AT.standard} %, reduced ${AT.reduced.join(' % and ')} %`);
const { amount, date } = await vatfx.convert('19.90', 'EUR', 'USD');
log(`19.90 EUR = ${amount} USD on ${date}`);
// An outage of the registry is an error, never `valid: false`.
const { valid, name } = await vatfx.checkVat('GR', '100');
log(`GR 100 is registered: ${valid}, ${name}`);

// A type of event that you do not know, also of a later version, is answered with 204.
createServer(async (request, response) => {
  const verify = async (body) => verifyWebhook(body, request.headers, env.WEBHOOK_SECRET);
  const event = await buffer(request).then(verify).catch(log);
  response.writeHead(event === undefined ? 401 : 204).end();
  const changes = event?.type === 'rates.changed' ? event.changes : [];
  for (const row of changes) log(`${row.country} ${row.field}: ${row.old} → ${row.new}`);
}).listen(env.PORT, () => log('waiting for webhooks'));
