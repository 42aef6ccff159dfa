import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';
import { breakTable } from '../support/stored-keys.ts';
import { readFacts } from './support/stored-facts.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const yesterday = '2026-11-19T16:00:00Z';
const today = '2026-11-20T16:00:00Z';
const later = '2026-11-20T18:00:00Z';

describe('a publication of which a part cannot be written (contract C31, reliability R1)', () => {
  it.each([
    ['change rows', 'insert on rate_changes'],
    ['event', 'insert on events'],
    ['end of the run', "update on runs when new.outcome = 'published'"],
  ])(
    'stores nothing, and is published completely when it can be written: its %s',
    async (_, write) => {
      const service = await startService({ lived: [yesterday] });
      const { db, runs } = service.core;
      changeRate(service.scenario, 'HU', 'standard', ['25'], '2026-11-20');
      const before = await readFacts(db);
      const repair = await breakTable(db, write);

      await service.liveAt(today);
      const broken = await readFacts(db);
      const [run] = await runs.list(1, 'rates');
      await repair();
      await service.liveAt(later);
      const repaired = await readFacts(db);

      const { versions, changes, events } = before;
      expect(broken).toMatchObject({ versions, changes, events });
      expect(run).toMatchObject({ outcome: 'failed', version: '2026-11-20' });
      expect(repaired.versions).toEqual([...versions, '2026-11-20']);
      expect(repaired.changes.map(({ row }) => row)).toEqual(['2026-11-20 HU standard 27 → 25']);
      expect(repaired.events).toEqual(['2026-11-20']);
    },
  );
});
