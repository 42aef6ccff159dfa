import { postgresql, type Proof, sqlite } from './proof.ts';

/** The proofs of the supply chain, stored checks, evidence, the event log, rates by law, goods categories and containers. */
export const laterProofs = {
  R28: {
    title: 'Supply chain',
    goal: 'The lockfile has the digest of every package, no package that is needed at run time has an install script, and the audit is clean.',
    suites: [sqlite('test/package/supply-chain.test.ts')],
    when: 'parallel',
    smaller: 'if the npm registry offers no audit, the audit is skipped, and the figure says so.',
  },
  R29: {
    title: 'Stored checks end once, by an answer of their own',
    goal: '1,000 seeds of simulated time on SQLite and 100 on PostgreSQL, with faults and outages of the registry, kills, two replicas and three keys: every check ends once, with one event; `valid` comes only from an answered look-up; a false answer near an outage needs a second one; no answer and no proof belongs to another key or requester. 200 pending checks survive two `kill -9` of real servers.',
    suites: [
      sqlite('test/simulation/stored-checks.test.ts', 'test/journeys/stored-checks-crash.test.ts'),
      postgresql(
        'test/simulation/stored-checks.test.ts',
        'test/journeys/stored-checks-crash.test.ts',
      ),
    ],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  R30: {
    title: 'Evidence that cannot be changed',
    goal: '10,000 changes of one bit in the bytes sent and received, the manifest, the signature, the key and the file: each is found, by a verifier that needs no network, service or database.',
    suites: [
      sqlite(
        'src/vat-check/stored/evidence/verify-flips.test.ts',
        'test/vat-check/evidence.test.ts',
        'test/journeys/evidence-offline.test.ts',
      ),
    ],
    when: 'parallel',
    smaller: null,
  },
  R31: {
    title: 'The event log loses no event',
    goal: '8 writers, 3 replicas and readers as fast as they can, 100,000 events on each engine, some rolled back, some of another key: 0 lost, 0 doubled, 0 out of order, none of another key. A reader by numbers alone loses some in the same run on PostgreSQL. A waiting reader on another replica gets each event, with the id and the bytes of its webhook.',
    suites: [
      sqlite('test/journeys/event-log.test.ts'),
      postgresql('test/journeys/event-log.test.ts'),
    ],
    when: 'parallel',
    isLong: true,
    smaller:
      'on the embedded engine one replica, because a file has one process that serves; the writers are another process.',
  },
  R32: {
    title: 'Exchange rates by law',
    goal: 'For every period since 1999 and 10,000 tax points the date and all digits are those of a second computation from the file of the ECB. With publications missing, no question whose deciding publication is missing is answered.',
    suites: [sqlite('test/real-input/fx-law.test.ts', 'test/real-input/fx-law-answers.test.ts')],
    when: 'parallel',
    needs: 'captured files of the upstreams in `../shared/upstreams`',
    smaller:
      'publications are missing only since 2002. Before, closings by decision were frequent, so the stored history decides.',
  },
  R33: {
    title: 'Goods categories',
    goal: 'Every row of every captured answer of TEDB is the same in a second reading. In 60 of these answers, with rows of territories added among the others, no row of a territory comes without being requested.',
    suites: [
      sqlite('test/real-input/tedb-categories.test.ts', 'test/real-input/tedb-territories.test.ts'),
    ],
    when: 'parallel',
    needs: 'captured files of the upstreams in `../shared/upstreams`',
    smaller: null,
  },
  R34: {
    title: 'Containers',
    goal: 'The image and `compose.yaml` run as documented in a container engine: healthy, with only two folders to write, not as root. SIGTERM drains. No look-up fails during a rolling replacement, a crash or a hang of a replica, or while Redis is away; PostgreSQL may be away and come back.',
    suites: [
      {
        project: 'containers',
        files: ['test/containers/image.test.ts', 'test/containers/compose.test.ts'],
        through: '.ci/containers',
      },
    ],
    when: 'alone',
    needs: 'a container engine, or root on Debian to start one',
    smaller: null,
  },
  R39: {
    title: 'Evidence of earlier releases',
    goal: 'The evidence that each release since 0.2 made holds with this program, and is found forged after each of 20,000 changes of one bit.',
    suites: [sqlite('test/vat-check/evidence-of-releases.test.ts')],
    when: 'parallel',
    smaller: null,
  },
} as const satisfies Readonly<Record<string, Proof>>;
