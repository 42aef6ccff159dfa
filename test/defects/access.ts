import { breaks } from '../simulation/breaks.ts';
import type { Defect } from './defect.ts';

const memory = 'platform/http/responses/response-cache.ts';

/** Defects in front of the API (reliability R20 to R27). */
export const accessDefects: readonly Defect[] = [
  {
    name: 'path in the log',
    promised: 'R20',
    wrong: 'logs the path of a request instead of its route',
    changes: breaks['the key in the log'],
    caughtBy: {
      file: 'test/vat-check/privacy.test.ts',
      test: 'are in none of them if the key or the method is wrong',
    },
  },
  {
    name: 'unescaped log',
    promised: 'R20',
    wrong: "puts the caller's User-Agent into a line of the log unescaped",
    changes: [
      {
        file: 'platform/http/server/access-log.ts',
        name: 'routeOf',
        by: "(whole, request) => `${whole(request)} ${request.headers['user-agent']}`",
      },
    ],
    caughtBy: {
      file: 'test/api/log-lines.test.ts',
      test: 'has one line of JSON for a request, without text of the caller: its agent',
    },
  },
  {
    name: 'window of the clock',
    promised: 'R21',
    wrong: 'counts by the minute of the clock, so that twice the limit is admitted around its end',
    changes: [
      {
        file: 'access/limits/known-uses.ts',
        name: 'windowOf',
        by: `(whole, use, nowMs) => {
          const minute = Math.trunc(nowMs / 60_000);
          if (use.window.minute !== minute) Object.assign(use.window, { count: 0, minute });
          return whole(use, nowMs);
        }`,
      },
    ],
    caughtBy: {
      file: 'test/api/rate-limit.test.ts',
      test: 'counts in a window of 60 s from its first request, whenever that comes',
    },
  },
  {
    name: 'quota of each replica',
    promised: 'R21',
    wrong: 'counts quotas in each replica separately, although Redis answers',
    changes: [{ file: 'access/limits/counter.ts', name: 'Counter.#isTogether', by: '() => false' }],
    caughtBy: {
      file: 'src/access/limits/counter-redis.test.ts',
      test: 'admit exactly the quota, from the first request on',
      needs: 'redis',
    },
  },
  {
    name: 'whole limits without Redis',
    promised: 'R21',
    wrong: 'gives the whole of a limit at each of several replicas without Redis',
    changes: [
      {
        file: 'access/limits/counter.ts',
        name: 'Counter.#chargeAlone',
        by: `(whole, ...charge) => {
          this.#parts.countReplicas = () => 1;
          return whole(...charge);
        }`,
      },
    ],
    caughtBy: {
      file: 'src/access/limits/counter-shares.test.ts',
      test: 'is the quota divided by the replicas, and one request at least',
    },
  },
  {
    name: 'quota of yesterday',
    promised: 'R21',
    wrong: 'does not read again what other replicas without Redis have charged',
    changes: [
      { file: 'access/limits/counter.ts', name: 'Counter.#readEveryMs', by: '() => Infinity' },
    ],
    caughtBy: {
      file: 'src/access/limits/counter-shares.test.ts',
      test: 'of a quota includes at most what others wrote before the last read, also after a long pause',
    },
  },
  {
    name: 'revoked key still accepted',
    promised: 'R22',
    wrong: 'remembers a key until it ends, even if another process revokes it',
    changes: [
      {
        file: 'access/authentication/authenticator.ts',
        name: 'Authenticator.#forget',
        by: '() => {}',
      },
    ],
    caughtBy: {
      file: 'src/access/authentication/authenticator.test.ts',
      test: 'refuses a key that another process has revoked, from the next poll on',
    },
  },
  {
    name: 'expiry by the day',
    promised: 'R22',
    wrong: 'lets a key through for a day after it has expired',
    changes: [
      {
        file: 'access/authentication/authenticator.ts',
        name: 'toKnown',
        by: `(whole, ...args) => {
          const known = whole(...args);
          return { ...known, worksUntilMs: known.worksUntilMs + 86_400_000 };
        }`,
      },
    ],
    caughtBy: {
      file: 'src/access/authentication/authenticator.test.ts',
      test: 'refuses a key from the instant on at which it expires',
    },
  },
  {
    name: 'requests without bound',
    promised: 'R24',
    wrong: 'begins every request that a client sends ahead, however many wait',
    changes: [
      {
        file: 'platform/connections/connection-guard.ts',
        name: 'ConnectionGuard.#begin',
        by: '(_whole, _socket, _response, answer) => answer()',
      },
    ],
    caughtBy: {
      file: 'test/api/connection-places.test.ts',
      test: 'may send 64 requests ahead of their answers, and end with the 66th',
    },
  },
  {
    name: 'connections that are not read',
    promised: 'R24',
    wrong: 'keeps a connection whose client reads none of its answers',
    changes: [
      {
        file: 'platform/connections/connection-guard.ts',
        name: 'ConnectionGuard.#end',
        by: `(whole, socket, reason) => {
          if (reason !== 'unread') whole(socket, reason);
        }`,
      },
    ],
    caughtBy: {
      file: 'src/platform/connections/connection-guard.test.ts',
      test: 'ends a connection whose answer is not read, and one that is idle, but none whose answer is being made',
    },
  },
  {
    name: 'places for ever',
    promised: 'R24',
    wrong: 'keeps idle connections of keys, so that one key can take every place',
    changes: [
      {
        file: 'platform/connections/dispensable.ts',
        name: 'findDispensable',
        by: '(_whole, _open, anonymous) => [...anonymous][0]',
      },
    ],
    caughtBy: {
      file: 'test/api/connection-places.test.ts',
      test: 'of one key that fill all places are replaced, so that other callers are answered',
    },
  },
  {
    name: 'close without drain',
    promised: 'R25',
    wrong: 'closes every connection immediately when its process stops',
    changes: [
      {
        file: 'platform/http/server/listening.ts',
        name: 'closeWithin',
        by: `(whole, api, log) => {
          api.server.closeAllConnections();
          return whole(api, log);
        }`,
      },
    ],
    caughtBy: {
      file: 'test/vat-check/stop.test.ts',
      test: 'lets a check in flight be answered, and closes its connections',
      says: /^(?:socket hang up|read ECONNRESET)$/,
    },
  },
  {
    name: 'latest from the database',
    promised: 'R26',
    wrong: 'reads the latest from the database for each answer',
    changes: [
      {
        file: 'platform/publication/routes.ts',
        name: 'addSnapshotRoutes',
        by: `(whole, dataSet, parts) => {
          const readFirst = (route) => ({
            ...route,
            find: async (...request) => {
              await dataSet.findLatest(parts.db);
              return route.find(...request);
            },
          });
          const isLatest = ({ url }) => url === dataSet.api.path;
          const cachedRoutes = {
            add: (route) => parts.cachedRoutes.add(isLatest(route) ? readFirst(route) : route),
          };
          return whole(dataSet, { ...parts, cachedRoutes });
        }`,
      },
      { file: memory, name: 'ResponseCache.find', by: '() => undefined' },
    ],
    caughtBy: { file: 'test/api/errors.test.ts', test: 'does not change the responses in memory' },
  },
  {
    name: 'cache without a bound',
    promised: 'R27',
    wrong: 'caches every answer without a bound',
    changes: [{ file: memory, name: 'bytesMax', by: '() => Number.MAX_SAFE_INTEGER' }],
    caughtBy: {
      file: 'src/platform/http/responses/response-cache.test.ts',
      test: 'drops the least recently used responses when it is full, and is bounded in bytes',
    },
  },
];
