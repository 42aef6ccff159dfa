import { describe, expect, it, vi } from 'vitest';
import { RememberedRepresentations } from './remembered.ts';

const textOf = (found: { readonly body: Buffer } | undefined): string | undefined =>
  found?.body.toString();

describe('RememberedRepresentations', () => {
  it('reads once and then remembers', async () => {
    const memory = new RememberedRepresentations<string>(10);
    const read = vi.fn<() => Promise<string>>().mockResolvedValue('body');

    const first = await memory.find('a', read);
    const second = await memory.find('a', read);

    expect(textOf(first)).toBe('body');
    expect(second).toBe(first);
    expect(read).toHaveBeenCalledOnce();
  });

  it('does not remember that there was nothing', async () => {
    const memory = new RememberedRepresentations<string>(10);

    expect(await memory.find('a', async () => Promise.resolve(undefined))).toBeUndefined();

    expect(textOf(await memory.find('a', async () => Promise.resolve('now')))).toBe('now');
  });

  it('reads again after it was told to forget', async () => {
    const memory = new RememberedRepresentations<string>(10);
    await memory.find('a', async () => Promise.resolve('old'));

    memory.forget();

    expect(textOf(await memory.find('a', async () => Promise.resolve('new')))).toBe('new');
  });

  it('never remembers after forgetting what was read before', async () => {
    const memory = new RememberedRepresentations<string>(10);
    const slow = Promise.withResolvers<string>();
    const finding = memory.find('a', async () => slow.promise);

    memory.forget();
    slow.resolve('old');

    expect(textOf(await finding)).toBe('old');
    expect(textOf(await memory.find('a', async () => Promise.resolve('new')))).toBe('new');
  });

  it('keeps what was used last when there is no more room', async () => {
    const memory = new RememberedRepresentations<string>(2);
    const read = vi.fn<() => Promise<string>>().mockResolvedValue('body');
    for (const key of ['a', 'b', 'a', 'c']) await memory.find(key, read);
    expect(read).toHaveBeenCalledTimes(3);

    await memory.find('a', read);
    expect(read).toHaveBeenCalledTimes(3);
    await memory.find('b', read);

    expect(read).toHaveBeenCalledTimes(4);
  });
});
