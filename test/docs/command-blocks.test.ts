import { describe, expect, it } from 'vitest';
import { findMissing, findMissingForm } from './support/shown-output.ts';

describe('findMissing', () => {
  const printed = '{"date":"2026-11-20","rates":{"AUD":1.5,"USD":1.1604}}';

  it('finds nothing if every piece is in the output in this order', () => {
    expect(findMissing('{"date":"2026-11-20",\n  "rates":{ … "USD":1.1604}}', printed)).toEqual([]);
  });

  it('finds pieces with another value, and pieces in another order', () => {
    expect(findMissing('{"date":"2026-11-21" …', printed)).toEqual(['{"date":"2026-11-21"']);
    expect(findMissing('… "USD":1.1604 … "AUD":1.5 …', printed)).toEqual(['"AUD":1.5']);
  });
});

describe('findMissingForm', () => {
  it('accepts other dates, numbers and ids, and no other names', () => {
    const shown = '{"id":"rc_cd74c7f41d03577eebca6af5","date":"2026-11-08","new":25, …';

    expect(
      findMissingForm(shown, '{"id":"rc_0a1b451b1c6f34bbce572ba6","date":"2027-01-09","new":2.5,}'),
    ).toEqual([]);
    expect(findMissingForm(shown, '{"id":"rc_0a1b451b1c6f34bbce572ba6","day":1,}')).toHaveLength(1);
  });

  it('keeps the status', () => {
    const shown = 'HTTP/1.1 503 Service Unavailable\nretry-after: 60\n\n{}';

    expect(findMissingForm(shown, shown.replace('60', '7'))).toEqual([]);
    expect(findMissingForm(shown, shown.replace('503', '502'))).toHaveLength(1);
  });
});
