import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyMoment } from '../../test/support/arbitraries.ts';
import { SettableClock } from '../../test/support/settable-clock.ts';
import { UtcMonth } from './utc-month.ts';

it('is the date and month of any moment, whatever the moment before', () => {
  fc.assert(
    fc.property(anyMoment, anyMoment, (from, to) => {
      const clock = new SettableClock(new Date(from).toISOString());
      const calendar = new UtcMonth(clock);
      clock.advance(to - from);
      expect(calendar.now()).toBe(to);
      expect(calendar.date).toBe(new Date(to).toISOString().slice(0, 10));
      expect(calendar.month.startsMs).toBe(Date.parse(`${calendar.date.slice(0, 7)}-01`));
      const end = new Date(calendar.month.startsMs);
      expect(calendar.month.endsMs).toBe(end.setUTCMonth(end.getUTCMonth() + 1));
    }),
  );
});
