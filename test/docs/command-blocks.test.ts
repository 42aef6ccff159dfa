import { describe, expect, it } from 'vitest';
import { readMarkdown } from './support/command-blocks.ts';
import { findMissing, findMissingForm } from './support/shown-output.ts';

describe('readMarkdown', () => {
  it('reads the commands, the output below them and the line', () => {
    const text = 'A page.\n\n```sh\ncurl a\n```\n```json\n{"a":1}\n```\n';

    expect(readMarkdown('page.md', text)).toEqual([
      { place: 'page.md:4', document: 'page.md', commands: 'curl a', shown: '{"a":1}' },
    ]);
  });

  it('reads the reason above a block, which is for that block only', () => {
    const text =
      '<!-- not run: needs Docker -->\n```sh\ndocker run a\n```\nand\n```sh\ncurl a\n```\n';

    expect(readMarkdown('page.md', text).map(({ reason }) => reason)).toEqual([
      'needs Docker',
      undefined,
    ]);
  });

  it('reads a block without a language if a line begins like a command, and a command in a sentence', () => {
    const text = '```\nx\n```\n\n```\ncurl a\n```\nThen `curl b` sets it back.\n';

    expect(readMarkdown('page.md', text).map(({ place, commands }) => [place, commands])).toEqual([
      ['page.md:6', 'curl a'],
      ['page.md:8', 'curl b'],
    ]);
  });

  it('removes the indentation of a list', () => {
    const text = '1. First:\n\n   ```sh\n   cd a\n     ls\n   ```\n';

    expect(readMarkdown('page.md', text)[0]?.commands).toBe('cd a\n  ls');
  });

  it('takes no block of another language for the output', () => {
    const text = '```sh\ncurl a\n```\n\n```ts\na()\n```\n';

    expect(readMarkdown('page.md', text)[0]?.shown).toBeUndefined();
  });
});

describe('findMissing', () => {
  const printed = '{"date":"2026-11-20","rates":{"AUD":1.5,"USD":1.1604}}';

  it('finds nothing if every piece is in the output in this order', () => {
    expect(findMissing('{"date":"2026-11-20",\n  "rates":{ … "USD":1.1604}}', printed)).toEqual([]);
  });

  it('finds pieces with another value, and pieces in another order', () => {
    expect(findMissing('{"date":"2026-11-21" …', printed)).toEqual(['{"date":"2026-11-21"']);
    expect(findMissing('… "USD":1.1604 … "AUD":1.5 …', printed)).toEqual(['"AUD":1.5']);
  });

  it('compares the lines of a head that are shown', () => {
    const answer = 'HTTP/1.1 404 Not Found\r\nLink: </a>\r\nDate: now\r\n\r\n{"error":"a"}';

    expect(findMissing('HTTP/1.1 404 Not Found\nlink: </a>\n\n{"error":"a"}', answer)).toEqual([]);
    expect(findMissing('HTTP/1.1 404 Not Found\nlink: </b>\n\n{"error":"b"}', answer)).toEqual([
      'link: </b>',
      '{"error":"b"}',
    ]);
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
