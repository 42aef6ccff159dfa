import type { Defect } from './defect.ts';

const exchange = 'platform/upstream/exchange.ts';
const xml = 'platform/upstream/strict-xml.ts';

/** What goes wrong between us and the upstreams (reliability R10 to R14). */
export const upstreamDefects: readonly Defect[] = [
  {
    name: 'idle timer',
    promised: 'R10',
    wrong: 'gives up a silent upstream, and waits for ever for one that drips',
    changes: [
      {
        file: exchange,
        what: 'const cancel = timers.after(sent.deadlineMs, () => overdue.abort());',
        by: 'const cancel = () => {};',
      },
      {
        file: exchange,
        what: 'headersTimeout: 0,\n      bodyTimeout: 0,',
        by: 'headersTimeout: sent.deadlineMs,\n      bodyTimeout: sent.deadlineMs,',
      },
    ],
    caughtBy: {
      file: 'src/platform/upstream/exchange.test.ts',
      test: 'ends it when the body drips',
    },
  },
  {
    name: 'cap on the wire alone',
    promised: 'R11',
    wrong: 'counts the bytes of a body before gzip is undone, not after',
    changes: [
      {
        file: exchange,
        what: 'chunks: capped(decoded, sent.bodyBytesMax, at), at };',
        by: 'chunks: decoded, at };',
      },
    ],
    caughtBy: {
      file: 'src/platform/upstream/exchange.test.ts',
      test: 'counts what comes out of gzip',
    },
  },
  {
    name: 'lenient XML',
    promised: 'R12',
    wrong: 'closes by itself what an answer left open when it was cut',
    changes: [
      {
        file: xml,
        what: 'if (ending) throw truncated(at, cause);',
        by: 'if (ending) return;',
      },
      {
        file: xml,
        what: 'ending = true;',
        by: "ending = true;\n      while (texts.length > 0) reader.close(texts.pop() ?? '');",
      },
      {
        file: 'platform/upstream/xml-shape.ts',
        what: 'if (missing !== undefined) this.#refuse',
        by: 'if (false) this.#refuse',
      },
    ],
    caughtBy: {
      file: 'src/platform/upstream/strict-xml.test.ts',
      test: 'refuses every cut of a document',
    },
  },
  {
    name: 'DOCTYPE allowed',
    promised: 'R12',
    wrong: 'reads over a DOCTYPE, as XML parsers do unless they are told',
    changes: [
      {
        file: xml,
        what: "refuse('malformed', 'a DOCTYPE, which no real answer has');",
        by: '',
      },
    ],
    caughtBy: { file: 'src/platform/upstream/strict-xml.test.ts', test: 'refuses a DOCTYPE' },
  },
  {
    name: 'valid:false on fault',
    promised: 'R13',
    wrong: 'takes a fault that it does not know for the answer that a number is not valid',
    changes: [
      {
        file: 'vat-check/vies-client.ts',
        what: "if (content.kind === 'fault') return withoutEcho(readFault(content.text));",
        by: `if (content.kind === 'fault') {
    const known = readFault(content.text);
    if (known.kind !== 'failed') return withoutEcho(known);
    const answer = { valid: false, requestDate: '2026-01-01', name: null, address: null };
    return withoutEcho({ kind: 'answered', answer, maxAgeSeconds: null });
  }`,
      },
    ],
    caughtBy: {
      file: 'src/vat-check/vies-client-failures.test.ts',
      test: 'is a fault with an empty text',
    },
  },
  {
    name: 'echo not compared',
    promised: 'R13',
    wrong: 'takes an answer about another number for one about the number that was queried',
    changes: [
      {
        file: 'vat-check/vies-client.ts',
        what: "if (differences.some(({ difference }) => difference === 'other')) {",
        by: 'if (false) {',
      },
    ],
    caughtBy: {
      file: 'src/vat-check/vies-client.test.ts',
      test: 'makes an answer about another number none: valid true',
    },
  },
  {
    name: 'no single flight',
    promised: 'R14',
    wrong: 'asks the registry once for each of those who ask at once',
    changes: [{ file: 'vat-check/check.ts', what: 'this.#flights.set(key, flight);', by: '' }],
    caughtBy: {
      file: 'src/vat-check/check.test.ts',
      test: 'are one call, whose result is for all of them',
    },
  },
  {
    name: 'breaker never opens',
    promised: 'R14',
    wrong: 'goes on asking a Member State that is down',
    changes: [
      {
        file: 'vat-check/protection.ts',
        what: "return kind === 'memberStateUnavailable' || kind === 'timedOut';",
        by: 'return false;',
      },
    ],
    caughtBy: {
      file: 'src/vat-check/protection-breakers.test.ts',
      test: 'refuses those who wait when it opens, without a call',
    },
  },
  {
    name: 'no Retry-After',
    promised: 'R26',
    wrong: 'answers an outage without saying when to come back',
    changes: [
      {
        file: 'vat-check/routes.ts',
        what: "throw new ApiError('memberStateDown', retryLater);",
        by: "throw new ApiError('memberStateDown');",
      },
    ],
    caughtBy: {
      file: 'test/vat-check/errors.test.ts',
      test: '301 is 503 "MS_UNAVAILABLE", with Retry-After 60',
    },
  },
];
