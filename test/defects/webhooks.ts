import type { Defect } from './defect.ts';

/** What goes wrong with webhooks (reliability R15 to R19). */
export const webhookDefects: readonly Defect[] = [
  {
    name: 'signature over the parsed body',
    promised: 'R15',
    wrong: 'signs the body as it would print it, not the bytes that it sends',
    changes: [
      {
        file: 'webhooks/delivery/signature.ts',
        what: 'update(head).update(body)',
        by: 'update(head).update(JSON.stringify(JSON.parse(String(body)), null, 2))',
      },
    ],
    caughtBy: {
      file: 'src/webhooks/delivery/signature.test.ts',
      test: 'verifies with the library of Standard Webhooks from the raw bytes',
    },
  },
  {
    name: 'lost outbox',
    promised: 'R16',
    wrong: 'writes the event by itself, when the transaction of its rows is over',
    changes: [
      {
        file: 'rates/publish.ts',
        what: "await parts.announce(tx, { type: 'rates.changed', snapshotDate: version, at });",
        by: `const event = { type: 'rates.changed', snapshotDate: version, at };
    setImmediate(() => {
      parts.db.transaction().execute(async (tx) => parts.announce(tx, event)).catch(() => {});
    });`,
      },
    ],
    caughtBy: {
      file: 'test/journeys/half-publications.test.ts',
      test: 'is none, and comes as a whole when it can be: its event',
    },
  },
  {
    name: 'id cursor',
    promised: 'R16',
    wrong: 'looks for deliveries behind the last id that it has seen',
    changes: [
      {
        file: 'webhooks/delivery/store.ts',
        what: 'export async function claimDue(',
        by: "let lastId = '';\n\nexport async function claimDue(",
      },
      {
        file: 'webhooks/delivery/store.ts',
        what: ".where('delivery.due_at', '<=', at)\n    .where((e) =>",
        by: ".where('delivery.due_at', '<=', at)\n    .where('delivery.id', '>', lastId)\n    .where((e) =>",
      },
      {
        file: 'webhooks/delivery/store.ts',
        what: 'if (ids.length > 0) {',
        by: 'lastId = ids.toSorted().at(-1) ?? lastId;\n    if (ids.length > 0) {',
      },
    ],
    caughtBy: {
      file: 'src/webhooks/delivery/store.test.ts',
      test: 'takes a claim that has ended away from whoever had it',
    },
  },
  {
    name: 'another id for each attempt',
    promised: 'R16',
    wrong: 'gives each attempt an id of its own, so that receivers cannot tell a repetition',
    changes: [
      {
        file: 'webhooks/delivery/http-sender.ts',
        what: "'webhook-id': id,",
        by: "'webhook-id': `${id}-${Date.now()}`,",
      },
    ],
    caughtBy: {
      file: 'src/webhooks/delivery/http-sender.test.ts',
      test: 'sends the headers of Standard Webhooks, and says who it is',
    },
  },
  {
    name: 'one queue for all',
    promised: 'R17',
    wrong: 'lets receivers that fail take every slot',
    changes: [
      {
        file: 'webhooks/delivery/slots.ts',
        what: 'const failingSlotsMax = 128;',
        by: 'const failingSlotsMax = 512;',
      },
    ],
    caughtBy: {
      file: 'src/webhooks/delivery/dispatcher.test.ts',
      test: 'gives those whose last attempt failed 128 of its slots',
    },
  },
  {
    name: 'look-up-only guard',
    promised: 'R18',
    wrong: 'judges what DNS says, and connects to addresses in URLs unasked',
    changes: [
      {
        file: 'webhooks/network/ssrf-guard.ts',
        what: 'const answers = literal === undefined ? await ask(host, resolve, signal) : [literal];',
        by: `if (literal !== undefined) return [literal];
  const answers = await ask(host, resolve, signal);`,
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
    wrong: 'judges the first of the addresses that a name has',
    changes: [
      {
        file: 'webhooks/network/ssrf-guard.ts',
        what: 'if (address === undefined || !isAllowed(address)) throw',
        by: 'if (address === undefined || (answer === answers[0] && !isAllowed(address))) throw',
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
    wrong: 'does not read the key file again when a secret does not open with the keys that it has',
    changes: [
      {
        file: 'platform/encryption/secret-keys.ts',
        what: 'if (key === undefined) {\n      this.#readFiles();',
        by: 'if (key === undefined) {',
      },
    ],
    caughtBy: {
      file: 'src/platform/encryption/rotation.test.ts',
      test: 'makes a new key and replaces the file; a running server follows',
      says: /^webhooks: the signing secret of sub_a cannot be decrypted/,
    },
  },
  {
    name: 'webhook before its rows',
    promised: 'R19',
    wrong: 'delivers before this process answers what the event is about',
    changes: [{ file: 'webhooks/delivery/dispatcher.ts', what: 'await catchUp();', by: '' }],
    caughtBy: {
      file: 'src/webhooks/delivery/dispatcher.test.ts',
      test: 'begins what is due, the longest due first, after this process has caught up',
    },
  },
];
