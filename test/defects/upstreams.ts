import type { Defect } from './defect.ts';

const exchange = 'platform/upstream/exchange.ts';
const xml = 'platform/upstream/strict-xml.ts';

/** Defects between the service and the upstreams (reliability R10 to R14). */
export const upstreamDefects: readonly Defect[] = [
  {
    name: 'idle timer',
    promised: 'R10',
    wrong:
      'gives up a silent upstream, but waits without end for one that sends a byte now and then',
    changes: [
      {
        file: exchange,
        name: 'exchange',
        by: `(whole, dispatcher, sent, read) => {
          const idle = { headersTimeout: sent.deadlineMs, bodyTimeout: sent.deadlineMs };
          const impatient = dispatcher.compose(
            (dispatch) => (options, handler) => dispatch({ ...options, ...idle }, handler),
          );
          return whole(impatient, { ...sent, deadlineMs: 2 ** 30 }, read);
        }`,
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
    wrong: 'counts the compressed bytes of a body, not the decoded ones',
    changes: [
      {
        file: exchange,
        name: 'capped',
        by: `(whole, chunks, ...rest) =>
          chunks.constructor.name === 'Gunzip' ? chunks : whole(chunks, ...rest)`,
      },
    ],
    caughtBy: {
      file: 'src/platform/upstream/exchange.test.ts',
      test: 'counts the decoded bytes of gzip',
    },
  },
  {
    name: 'lenient XML',
    promised: 'R12',
    wrong: 'accepts an answer that was cut as a whole one',
    changes: [
      {
        file: xml,
        name: 'createParser',
        by: `(whole, reader, at) => {
          const parser = whole(reader, at);
          const end = () => {
            try {
              return reader.document;
            } catch {
              return parser.end();
            }
          };
          return { ...parser, end };
        }`,
      },
      {
        file: 'platform/upstream/xml-shape.ts',
        name: 'ShapeReader.document',
        by: '(whole) => this.#frames[0]?.node ?? whole()',
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
    wrong: 'ignores a DOCTYPE, as XML parsers do by default',
    changes: [
      {
        file: xml,
        name: 'createParser.refuse',
        by: `(whole, kind, detail) => detail.includes('DOCTYPE') ? undefined : whole(kind, detail)`,
      },
    ],
    caughtBy: { file: 'src/platform/upstream/strict-xml.test.ts', test: 'refuses a DOCTYPE' },
  },
  {
    name: 'valid:false on fault',
    promised: 'R13',
    wrong: 'reads an unknown fault as the answer that a number is not valid',
    changes: [
      {
        file: 'vat-check/registries/outcome.ts',
        name: 'readFault',
        by: `(whole, text) => {
          const known = whole(text);
          if (known.kind !== 'failed') return known;
          const answer = { valid: false, requestDate: '2026-01-01', name: null, address: null };
          return { kind: 'answered', answer, maxAgeSeconds: null };
        }`,
      },
    ],
    caughtBy: {
      file: 'src/vat-check/registries/vies/vies-failures.test.ts',
      test: 'is recognised: a fault with an empty text',
    },
  },
  {
    name: 'echo not compared',
    promised: 'R13',
    wrong: 'accepts an answer about another number',
    changes: [{ file: 'vat-check/registries/vies/echo.ts', name: 'compareEcho', by: '() => []' }],
    caughtBy: {
      file: 'src/vat-check/registries/vies/vies.test.ts',
      test: 'fails the check if the answer is about another number: valid true',
    },
  },
  {
    name: 'no joined look-ups',
    promised: 'R14',
    wrong: 'queries the registry once for each of many equal checks at the same time',
    changes: [
      {
        file: 'vat-check/look-up/check.ts',
        name: 'VatChecks.lookUp',
        by: `(whole, ...args) => {
          this.#inFlight.clear();
          return whole(...args);
        }`,
      },
    ],
    caughtBy: {
      file: 'src/vat-check/look-up/check.test.ts',
      test: 'are one call, and all get its result',
    },
  },
  {
    name: 'breaker never opens',
    promised: 'R14',
    wrong: 'continues to query a Member State that is down',
    changes: [{ file: 'vat-check/calls/faults.ts', name: 'isGroupFault', by: '() => false' }],
    caughtBy: {
      file: 'src/vat-check/calls/protection-breakers.test.ts',
      test: 'refuses the waiting calls when it opens',
    },
  },
  {
    name: 'no Retry-After',
    promised: 'R26',
    wrong: 'answers an outage without Retry-After',
    changes: [
      {
        file: 'vat-check/look-up/routes.ts',
        name: 'toAnswer',
        by: `(whole, result) => {
          try {
            return whole(result);
          } catch (error) {
            throw new ApiError(error.code);
          }
        }`,
      },
    ],
    caughtBy: {
      file: 'test/vat-check/errors.test.ts',
      test: '301 is 503 "MS_UNAVAILABLE", with Retry-After 60',
    },
  },
];
