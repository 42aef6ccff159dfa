// Answers each line of a case with true or false; false for a secret that cannot be used.
import { createInterface } from 'node:readline';
import { stdin } from 'node:process';
import { log } from 'node:console';
import { verifyWebhook } from 'vatfx-client';

for await (const line of createInterface({ input: stdin })) {
  const [secret, id, timestamp, signatures, body, now] = line.split('\t');
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  };
  const answer = await verifyWebhook(Buffer.from(body, 'base64'), headers, secret, {
    now: Number(now) * 1_000,
  }).then(
    () => true,
    // A signed body that is no event is signed.
    (error) => error.problem === 'unreadableBody',
  );
  log(answer);
}
