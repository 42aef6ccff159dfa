// URL=http://127.0.0.1:8080 KEY=vfx_… PLACE=place.txt node follow.mjs
import { log, warn } from 'node:console';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import { VatfxClient } from 'vatfx-client';

const vatfx = new VatfxClient({ url: env.URL, key: env.KEY });
// In your program the cursor is in your database, stored in one transaction with the result of the event. A file gets its
// name when it is whole: a program may be ended at any time.
const draft = `${env.PLACE}.draft`;
const store = async (cursor) => writeFile(draft, cursor).then(async () => rename(draft, env.PLACE));
const onRetry = (error, delayMs) => warn(`${error.message}; again in ${delayMs} ms`);
let after = await readFile(env.PLACE, 'utf8').catch(() => undefined);
for (;;) {
  try {
    for await (const event of vatfx.events({ after, onCursor: store, onRetry })) {
      log(event.id, event.type);
      await store(event.cursor);
    }
  } catch (error) {
    if (error.name !== 'CursorExpiredError') throw error;
    // Events were missed: read the data that you keep again, then continue with the oldest stored event.
    after = error.firstCursor;
  }
}
