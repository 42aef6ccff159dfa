import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('Turns lets keys take turns, so that a key with many that wait delays another key by one', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const wait = async (key: string): Promise<number> => turns.wait(key).then(() => order.push(key));

  await Promise.all([wait('many'), wait('many'), wait('many'), wait('one')]);
  await wait('later');

  expect(order).toEqual(['many', 'one', 'many', 'many', 'later']);
});
