import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites that take longest, the longest first. Begun last, one of them would run alone on one core at the end. */
export const longest = [
  'test/defects/defects.test.ts',
  'test/journeys/webhook-crash.test.ts',
  'test/journeys/losing-database.test.ts',
  'test/journeys/redis-limits.test.ts',
  'test/journeys/webhook-tarpits.test.ts',
  'test/journeys/stored-checks-crash.test.ts',
  'test/journeys/losing-work.test.ts',
  'test/journeys/rolling-restart.test.ts',
  'test/journeys/crash.test.ts',
  'test/journeys/pg-publication.test.ts',
  'test/prove/soak.test.ts',
  'test/package/package.test.ts',
  'test/journeys/pg-pooler.test.ts',
  'test/journeys/webhook-retries.test.ts',
  'test/journeys/webhook-processes.test.ts',
  'test/journeys/upgrade.test.ts',
  'test/walkthrough/demo.test.ts',
  'test/samples/receivers.test.ts',
];

/**
 * Begins each project with its longest suites; in a new clone nothing else knows how long a suite takes. The suites of a
 * project stay together, because they share processes.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(file));
      return at === -1 ? longest.length : at;
    };
    const ofProjects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...ofProjects.values()].flatMap((all) =>
      all.toSorted((a, b) => placeOf(a) - placeOf(b)),
    );
  }
}
