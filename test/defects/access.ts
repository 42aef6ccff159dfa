import { breaks } from '../simulation/breaks.ts';
import type { Defect } from './defect.ts';

/** What goes wrong in front of the API (reliability R20 to R26). */
export const accessDefects: readonly Defect[] = [
  {
    name: 'path in the log',
    promised: 'R20',
    wrong: 'logs the path of a request as it was sent, with whatever is in it',
    changes: breaks['the key in the log'],
    caughtBy: {
      file: 'test/vat-check/privacy.test.ts',
      test: 'are in none of them when the key or the method is wrong',
    },
  },
  {
    name: 'unescaped log',
    promised: 'R20',
    wrong: 'puts what a caller calls itself into a line of the log as it came',
    changes: [
      {
        file: 'platform/http/server/access-log.ts',
        what: '      method,\n      route: routeOf(request),',
        by: "      method: `${method} ${request.headers['user-agent']}`,\n      route: routeOf(request),",
      },
    ],
    caughtBy: {
      file: 'test/api/log-lines.test.ts',
      test: 'has one line of JSON for a request, and its own words alone, whatever its agent is',
    },
  },
  {
    name: 'fixed-window burst',
    promised: 'R21',
    wrong: 'counts by the minute of the clock, so that twice the limit passes around its end',
    changes: [
      {
        file: 'access/limits/sliding-window.ts',
        what: 'const slices = this.#slices;\n    if (slices.length === 0) return 0;',
        by: `const slices = this.#slices;
    if (slices.length === 0) return 0;
    if (Math.trunc(nowMs / windowMs) !== Math.trunc(this.#newestBeganMs / windowMs)) {
      this.#forgetAll();
      return 0;
    }`,
      },
    ],
    caughtBy: {
      file: 'test/api/rate-limit.test.ts',
      test: 'slides: no 60 seconds have more than the limit, around whatever full minute',
    },
  },
  {
    name: 'quota of each replica',
    promised: 'R21',
    wrong: 'counts quotas in each replica by itself',
    changes: [
      {
        file: 'access/limits/shared-limiter.ts',
        what: 'return this.#chargeTogether(key, cost, limits);',
        by: 'return this.#chargeHere(key, { cost, weight: 1 });',
      },
    ],
    caughtBy: {
      file: 'src/access/limits/shared-limiter.test.ts',
      test: 'lets exactly the quota through, from the first request on',
      needs: 'redis',
    },
  },
  {
    name: 'revoked key still accepted',
    promised: 'R22',
    wrong: 'remembers a key until it ends, whoever revokes it meanwhile',
    changes: [
      {
        file: 'access/authentication/authenticator.ts',
        what: 'this.#remembered.delete(secretHash);',
        by: '',
      },
    ],
    caughtBy: {
      file: 'src/access/authentication/authenticator.test.ts',
      test: 'refuses a key that another process has revoked, at the next look',
    },
  },
  {
    name: 'expiry by the day',
    promised: 'R22',
    wrong: 'lets a key through for the rest of the day on which it expires',
    changes: [
      {
        file: 'access/authentication/authenticator.ts',
        what: 'Math.min(toMs(record.expiresAt, Infinity), toMs(secret.endsAt, Infinity))',
        by: 'Math.min(toMs(record.expiresAt, Infinity) + 86_400_000, toMs(secret.endsAt, Infinity))',
      },
    ],
    caughtBy: {
      file: 'src/access/authentication/authenticator.test.ts',
      test: 'refuses a key from the instant on at which it expires',
    },
  },
  {
    name: 'lenient parameters',
    promised: 'R23',
    wrong: 'takes a limit for a number as far as it looks like one',
    changes: [
      {
        file: 'rates/change-query.ts',
        what: "const limit = read(parameters['limit'], parsePageLimit);",
        by: "const limit = read(parameters['limit'], (text) => parsePageLimit(`${parseInt(text, 10)}`));",
      },
    ],
    caughtBy: {
      file: 'src/rates/change-query.test.ts',
      test: 'finds limit="1.0" malformed',
    },
  },
  {
    name: 'two credentials',
    promised: 'R24',
    wrong: 'takes the last of two Authorization headers',
    changes: [
      {
        file: 'platform/fast-path/request-head.ts',
        what: 'if (key !== undefined) return undefined;\n        key =',
        by: 'key =',
      },
    ],
    caughtBy: {
      file: 'src/platform/fast-path/request-head.test.ts',
      test: 'leaves two keys to others',
    },
  },
  {
    name: 'requests without turns',
    promised: 'R24',
    wrong: 'begins every request that a client sends ahead, however many are under way',
    changes: [
      {
        file: 'platform/connections/request-gate.ts',
        what: 'size >= underWayMax ||',
        by: 'false ||',
      },
    ],
    caughtBy: {
      file: 'src/platform/connections/request-gate.test.ts',
      test: 'are begun 16 at a time, and all are answered in order',
    },
  },
  {
    name: 'patience with those who do not read',
    promised: 'R24',
    wrong: 'keeps a connection whose client reads none of its answers',
    changes: [
      {
        file: 'platform/connections/connection-limits.ts',
        what: "this.#end(connection, 'unread');",
        by: '{}',
      },
    ],
    caughtBy: {
      file: 'src/platform/connections/connection-limits.test.ts',
      test: 'end their connection after 10 s in which no byte leaves',
    },
  },
  {
    name: 'close without drain',
    promised: 'R25',
    wrong: 'closes every connection as soon as it is told to stop',
    changes: [
      {
        file: 'platform/http/server/listening.ts',
        what: 'await untilQuiet(server, fastPath);\n  const closed',
        by: 'server.closeAllConnections();\n  fastPath?.close();\n  const closed',
      },
    ],
    caughtBy: {
      file: 'test/vat-check/stop.test.ts',
      test: 'lets a check that is under way be answered, and closes what it was connected to',
      says: /^(?:socket hang up|read ECONNRESET)$/,
    },
  },
  {
    name: 'latest from the database',
    promised: 'R26',
    wrong: 'reads the latest from the database for each answer',
    changes: [
      {
        file: 'platform/http/routes/snapshot-routes.ts',
        what: `find: () => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError(noneYet);
      return publicly(latest.representation, 'latest');`,
        by: `find: async () => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError(noneYet);
      await listDates({ from: latest.date, to: latest.date });
      return publicly(latest.representation, 'latest');`,
      },
      {
        file: 'platform/http/routes/cached-routes.ts',
        what: 'return this.#memory.find(target);',
        by: 'return undefined;',
      },
      {
        file: 'platform/http/routes/cached-routes.ts',
        what: 'if (known !== undefined) return andThen(request.charge(cost), () => known);',
        by: '',
      },
    ],
    caughtBy: { file: 'test/api/errors.test.ts', test: 'leaves what is in memory untouched' },
  },
  {
    name: 'memory without a bound',
    promised: 'R27',
    wrong: 'remembers every answer that it has ever given',
    changes: [
      {
        file: 'platform/http/responses/response-cache.ts',
        what: 'const bytesMax = 16 * 2 ** 20;',
        by: 'const bytesMax = Number.MAX_SAFE_INTEGER;',
      },
    ],
    caughtBy: {
      file: 'src/platform/http/responses/response-cache.test.ts',
      test: 'keeps what was used last when there is no more room, and is bounded by bytes',
    },
  },
];
