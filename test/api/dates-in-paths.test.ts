import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';

/** What `test/fields` shows of a value is here shown of a URL. */
const wrong =
  '2026-11-20.json 2026-11-20%20 2026-11-20%0A 2026-11-20%00 2026-11-20%2F 2026%252D11%252D20 latest __proto__ ' +
  `%zz 2026-11-20% 2026-11-2%ff ${encodeURIComponent('2026−11−20')}`;

describe.each(['/rates', '/changes', '/fx'])('the date in GET %s/D (contract C5)', (path) => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

  it.each([...wrong.split(' '), '2'.repeat(8_000)])('is refused: %s', async (date) => {
    const { status, text } = await service().get(`${path}/${date}`);

    expect([status, text]).toEqual([400, `{"error":"invalid 'date' — expected YYYY-MM-DD"}`]);
  });

  it.each(['%32026%2D11%2d20', '2026-11-20?date=2026-02-30&%zz'])('is read: %s', async (date) => {
    const plain = await service().get(`${path}/2026-11-20`);
    const answer = await service().get(`${path}/${date}`);

    expect([answer.status, answer.text]).toEqual([200, plain.text]);
  });
});
