import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { reportFigure, someOf } from '../support/proof.ts';
import { answerMs, EveryEndpoint, type GroupAnswers, whole } from './support/endpoint-groups.ts';
import { becomes, type Loss, names, startToLose, timeUntil } from './support/losing-world.ts';
import { letTimePass } from './support/let-time-pass.ts';
import { Names } from './support/names.ts';
import { hasEngines, makeSchema, shareEngines } from './support/shared-engines.ts';
import { eventually } from '../support/eventually.ts';
import { runDoctor } from '../cli/support/run-doctor.ts';
import { setViesFault } from '../support/sandbox/scripts.ts';

const engines = shareEngines();
const away = '503 temporarily unavailable, Retry-After';

/** Answers without PostgreSQL, of a process that has answered the same requests before. */
const withoutDatabase: GroupAnswers = {
  ...whole,
  '/rates/<date>, not remembered': away,
  '/rates/<date>, not there': away,
  '/fx/<date>, not remembered': away,
  '/changes, not remembered': away,
  '/changes/<date>, not remembered': away,
  'GET /webhooks': away,
  'POST /webhooks': away,
  'a key not seen before': away,
  'an unknown key': away,
  '/ready': '200 degraded',
};

const standby = 'it is a standby';

/** The body of `/ready` while the database refuses writes. */
const degraded = (refusal: string): string =>
  JSON.stringify({ status: 'degraded', reason: `the database refuses writes: ${refusal}` });

/** Answers when no key is cached any more: those of routes without a key, and errors. */
const afterTenMinutes: GroupAnswers = {
  ...(Object.fromEntries(Object.keys(whole).map((name) => [name, away])) as GroupAnswers),
  'no key': '401 INVALID_KEY',
  '/live': '200 live',
  '/ready': '200 degraded',
  '/status': '200',
  '/metrics': '200',
};

/** Time for which a cached key works while the database is away (contract C25). */
const withoutDatabaseMs = 10 * 60_000;

const losses: readonly ((resolver: Names) => Loss)[] = [
  () => ({
    how: 'killed: connections are refused',
    lose: async () => engines().postgresql.kill(),
    restore: async () => engines().postgresql.restart(),
  }),
  () => ({
    how: 'held: connections stay, nothing answers',
    lose: () => engines().postgresql.pause(),
    restore: () => engines().postgresql.resume(),
  }),
  (resolver) => ({
    how: 'nowhere: no name server answers',
    lose: async () => {
      resolver.lose(names.database, 'silent');
      // Ends every connection that used the name.
      await engines().postgresql.restart();
    },
    restore: () => resolver.restore(names.database),
  }),
];

describe.skipIf(!hasEngines)('PostgreSQL that is away (reliability R26)', () => {
  it.each(someOf(losses, 1).map((make) => ({ make, how: make({} as Names).how })))(
    'leaves the routes that are served from memory, and all others work again after it; $how',
    async ({ make, how }) => {
      const loss = make(Names.use());
      const service = await startToLose(engines());
      const every = await EveryEndpoint.prepare(service);

      await loss.lose();
      const atOnce = await every.sendRequest();
      await becomes(service, 'degraded');
      const later = await every.sendRequest();
      const status = await service.sendToOps('/status');
      const metrics = await service.sendToOps('/metrics');
      await loss.restore();
      const backMs = await timeUntil(async () => {
        const answers = await every.sendRequest(['/ready', '/rates/<date>, not remembered']);
        return Object.values(answers).join() === '200 ready,200';
      });

      reportFigure(
        'R26',
        `PostgreSQL ${how}: ${every.describe()}; all was back ${backMs} ms after it was`,
      );
      expect({ ...atOnce, '/ready': '200 degraded' }).toEqual(withoutDatabase);
      expect(later).toEqual(withoutDatabase);
      expect(JSON.parse(status.text)).toMatchObject({ database: { answering: false } });
      expect(metrics.text).toContain('vatfx_database_answering 0');
      expect(every.longestMs).toBeLessThan(answerMs);
      expect(await every.sendRequest()).toEqual(whole);
    },
  );
});

describe.skipIf(!hasEngines)(
  'PostgreSQL that accepts connections, but not all statements (reliability R26)',
  () => {
    it('that has become a standby: all routes but those that write are answered, and /ready through its promotion', async () => {
      Names.use();
      const service = await startToLose(engines());
      const every = await EveryEndpoint.prepare(service);

      await engines().postgresql.restartAsStandby();
      await becomes(service, standby);
      const during = await every.sendRequest();
      const { text: status } = await service.sendToOps('/status');
      const { text: metrics } = await service.sendToOps('/metrics');
      const until = becomes(service, '"ready"');
      await engines().postgresql.promote();

      expect(await until).toEqual([`200 ${degraded(standby)}`, '200 {"status":"ready"}']);
      expect(during).toEqual({ ...whole, 'POST /webhooks': away, '/ready': '200 degraded' });
      expect(JSON.parse(status)).toMatchObject({
        database: { answering: true, refusesWrites: standby },
      });
      expect(metrics).toContain('vatfx_database_writable 0');
      expect(await every.sendRequest()).toEqual(whole);
    });

    it.each([
      ['any table', 'all tables in schema SCHEMA', 'api_keys, audit, bank_absences'],
      ['one table', 'SCHEMA.webhook_subscriptions', 'webhook_subscriptions'],
    ])(
      'whose role may not write %s: 503, and /ready and doctor say so',
      async (_, closed, found) => {
        const { postgresql } = engines();
        const passed = letTimePass();
        const url = new URL(makeSchema(postgresql));
        const schema = url.search.slice(url.search.indexOf('test_'));
        const role = (url.username = `role_${schema}`);
        await postgresql.query(
          `create role ${role} login; grant all on schema ${schema} to ${role}`,
        );
        const service = await startToLose(engines(), { databaseUrl: url.href });
        const every = await EveryEndpoint.prepare(service);
        const rights = `insert, update, delete on ${closed.replace('SCHEMA', schema)}`;

        await postgresql.query(`revoke ${rights} from ${role}`);
        const during = await every.sendRequest(['POST /webhooks']);
        await becomes(service, degraded('the role may not write a table, which doctor names'));
        const { databaseUrl: DATABASE_URL, secretKey: SECRET_KEY } = service.config;
        const doctor = await runDoctor({ DATABASE_URL, SECRET_KEY });
        await postgresql.query(`grant ${rights} to ${role}`);
        await eventually(
          async () => (await every.sendRequest(['POST /webhooks']))['POST /webhooks'] === '201',
        );
        passed.by(60_000);
        await becomes(service, '"ready"');

        expect(during).toEqual({ 'POST /webhooks': away });
        expect(doctor.found['database']?.found).toContain(
          `the role ${role} may not read and write ${found}`,
        );
        expect(doctor.found['database']?.advice).toContain(
          `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};`,
        );
      },
    );

    it('with a locked table: 503 for requests that would wait too long, and all others are answered', async () => {
      Names.use();
      const service = await startToLose(engines());
      const every = await EveryEndpoint.prepare(service);

      const during = await service.core.db.transaction().execute(async (tx) => {
        await sql`lock table webhook_subscriptions in access exclusive mode`.execute(tx);
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        return every.sendRequest();
      });

      reportFigure('R26', `a locked table: ${every.describe()}`);
      expect(during).toEqual({ ...whole, 'GET /webhooks': away, 'POST /webhooks': away });
      expect(every.longestMs).toBeLessThan(answerMs);
      expect(await every.sendRequest()).toEqual(whole);
    });

    it('that is away together with Redis and the upstreams: keys and answers in memory work for 10 minutes', async () => {
      Names.use();
      const passed = letTimePass();
      const service = await startToLose(engines());
      const every = await EveryEndpoint.prepare(service);

      await Promise.all([engines().postgresql.kill(), engines().redis.kill()]);
      setViesFault(service.scenario, 'unavailable-503');
      await becomes(service, 'degraded');
      passed.by(withoutDatabaseMs - service.core.watch.ageMs - 10_000);
      const late = await every.sendRequest();
      passed.by(10_000);
      const tooLate = await every.sendRequest();
      await Promise.all([engines().postgresql.restart(), engines().redis.restart()]);
      setViesFault(service.scenario, 'none');
      await becomes(service, 'ready');

      const check = '502 the registry answered with a web page';
      expect(late).toEqual({ ...withoutDatabase, '/vatcheck, not cached': check });
      expect(tooLate).toEqual(afterTenMinutes);
      await timeUntil(
        async () =>
          (await every.sendRequest(['/vatcheck, not cached']))['/vatcheck, not cached'] === '200',
      );
      expect(await every.sendRequest()).toEqual(whole);
    });
  },
);
