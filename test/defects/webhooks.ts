import type { Defect } from './defect.ts';

const target = 'webhooks/network/ssrf-guard.ts';

/** Defects of webhooks (reliability R15 to R19). */
export const webhookDefects: readonly Defect[] = [
  {
    name: 'signature over the parsed body',
    promised: 'R15',
    wrong: 'signs a body that it prints again, not the bytes that it sends',
    changes: [
      {
        file: 'webhooks/signature.ts',
        name: 'signature',
        // The suite also signs texts that are no JSON.
        by: `(whole, key, head, body) => {
          let printed = String(body);
          try {
            printed = JSON.stringify(JSON.parse(printed));
          } catch {}
          return whole(key, head, Buffer.from(printed));
        }`,
      },
    ],
    caughtBy: {
      file: 'src/webhooks/signature.test.ts',
      test: 'verifies with the library of Standard Webhooks from the raw bytes',
    },
  },
  {
    name: 'lost outbox',
    promised: 'R16',
    wrong: 'writes the event after the transaction of its rows, in another one',
    changes: [
      {
        file: 'rates/publish.ts',
        name: 'publishSnapshot',
        by: `(whole, tx, parts, ...rest) => {
          const announce = async (_, event) => setImmediate(() => {
            const later = parts.db.transaction().execute(async (tx) => parts.announce(tx, event));
            later.catch(() => {});
          });
          return whole(tx, { ...parts, announce }, ...rest);
        }`,
      },
    ],
    caughtBy: {
      file: 'test/journeys/half-publications.test.ts',
      test: 'stores nothing, and is published completely when it can be written: its event',
    },
  },
  {
    name: 'id cursor',
    promised: 'R16',
    wrong: 'reads only deliveries behind the last id that it has read',
    changes: [
      {
        file: 'webhooks/delivery/store.ts',
        name: 'claimDue',
        by: `async (whole, ...args) => {
          const cursor = globalThis.lastDeliveryId ?? '';
          const behind = (await whole(...args)).filter(({ id }) => id > cursor);
          globalThis.lastDeliveryId = behind.map(({ id }) => id).sort().at(-1) ?? cursor;
          return behind;
        }`,
      },
    ],
    caughtBy: {
      file: 'src/webhooks/delivery/store.test.ts',
      test: 'claims a delivery again if the claim of another process has ended',
    },
  },
  {
    name: 'another id for each attempt',
    promised: 'R16',
    wrong: 'gives each attempt an id of its own, so that receivers cannot recognise a repetition',
    changes: [
      {
        file: 'webhooks/delivery/http-sender.ts',
        name: 'createHeaders',
        by: `(whole, ...args) => {
          const headers = whole(...args);
          return { ...headers, 'webhook-id': headers['webhook-id'] + '-' + Date.now() };
        }`,
      },
    ],
    caughtBy: {
      file: 'src/webhooks/delivery/http-sender.test.ts',
      test: 'sends the headers of Standard Webhooks and its user agent',
    },
  },
  {
    name: 'one queue for all',
    promised: 'R17',
    wrong: 'lets receivers that fail take every place',
    changes: [{ file: 'webhooks/delivery/places.ts', name: 'failingPlacesMax', by: '() => 512' }],
    caughtBy: {
      file: 'src/webhooks/delivery/dispatcher.test.ts',
      test: 'gives subscriptions whose last attempt failed 128 of its places',
    },
  },
  {
    name: 'look-up-only guard',
    promised: 'R18',
    wrong: 'judges addresses of DNS, and connects to any address in a URL',
    changes: [
      {
        file: target,
        name: 'findAddresses',
        by: `async (whole, host, ...rest) => {
          const literal = normalizeAddress(host);
          return literal === undefined ? whole(host, ...rest) : [literal];
        }`,
      },
    ],
    caughtBy: {
      file: 'src/webhooks/network/ssrf-guard-addresses.test.ts',
      test: 'are refused without a connection: 169.254.169.254',
    },
  },
  {
    name: 'one public answer is enough',
    promised: 'R18',
    wrong: 'judges only the first address of a name',
    changes: [
      {
        file: target,
        name: 'findAddresses',
        by: `(whole, host, settings, signal) => {
          let judged = 0;
          const isAllowed = (address) => judged++ > 0 || settings.isAllowed(address);
          return whole(host, { ...settings, isAllowed }, signal);
        }`,
      },
    ],
    caughtBy: {
      file: 'src/webhooks/network/ssrf-guard-addresses.test.ts',
      test: 'are refused with one bad address last',
    },
  },
  {
    name: 'secret key read once',
    promised: 'R16',
    wrong: 'does not read the key file again if no key opens a secret',
    changes: [
      {
        file: 'platform/encryption/secret-keys.ts',
        name: 'SecretKeys.#readFiles',
        by: `(whole) => {
          if (this.hasRead) return;
          this.hasRead = true;
          whole();
        }`,
      },
    ],
    caughtBy: {
      file: 'src/platform/encryption/rotation.test.ts',
      test: 'makes a new key and replaces the file; a running server follows',
      says: /^the stored secret of sub_a cannot be decrypted/,
    },
  },
  {
    name: 'webhook before its rows',
    promised: 'R19',
    wrong: 'delivers before this process has read the published state',
    changes: [
      {
        file: 'webhooks/delivery/dispatcher.ts',
        name: 'DeliveryDispatcher.#beginLane',
        by: `(whole, lane) => {
          this.#parts = { ...this.#parts, catchUp: async () => {} };
          return whole(lane);
        }`,
      },
    ],
    caughtBy: {
      file: 'src/webhooks/delivery/dispatcher.test.ts',
      test: 'begins due deliveries, the longest due first, after this process has caught up',
    },
  },
];
