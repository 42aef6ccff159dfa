import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of-text.ts';
import { AnswerMemory } from './answer-memory.ts';

describe('AnswerMemory', () => {
  it('remembers an answer by what was asked for', () => {
    const memory = new AnswerMemory();
    const answer = answerOf('body');

    memory.remember(memory.generation, '/a', answer);

    expect([memory.find('/a'), memory.find('/b')]).toEqual([answer, undefined]);
  });

  it('has nothing after it was told to forget', () => {
    const memory = new AnswerMemory();
    memory.remember(memory.generation, '/a', answerOf('old'));
    expect(memory.find('/a')).toBeDefined();

    memory.forget();

    expect(memory.find('/a')).toBeUndefined();
    memory.remember(memory.generation, '/a', answerOf('new'));
    expect(memory.find('/a')?.found.representation.byteText).toBe('new');
  });

  it('never remembers after forgetting what was read before', () => {
    const memory = new AnswerMemory();
    const { generation } = memory;

    memory.remember(generation, '/a', answerOf('old'));
    memory.forget();
    memory.remember(generation, '/a', answerOf('old'));

    expect(memory.find('/a')).toBeUndefined();
  });

  it('keeps what was used last when there is no more room, and is bounded by bytes', () => {
    const memory = new AnswerMemory();
    const big = answerOf('x'.repeat(2 ** 20));
    for (let n = 0; n < 7; n += 1) memory.remember(memory.generation, `/${n}`, big);
    memory.find('/0');

    for (let n = 7; n < 9; n += 1) memory.remember(memory.generation, `/${n}`, big);

    const kept = Array.from({ length: 9 }, (_, n) => n).filter((n) => memory.find(`/${n}`));
    expect(kept).toEqual([0, 3, 4, 5, 6, 7, 8]);
  });

  it('does not remember what is asked for in more than 200 characters', () => {
    const memory = new AnswerMemory();
    const [long, longer] = ['/'.repeat(200), '/'.repeat(201)];

    memory.remember(memory.generation, long, answerOf('body'));
    memory.remember(memory.generation, longer, answerOf('body'));

    expect([memory.find(long), memory.find(longer)]).toEqual([expect.anything(), undefined]);
  });
});
