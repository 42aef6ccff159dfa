import { describe, expect, it } from 'vitest';
import { answerOf, asked } from '../../../../test/support/answer-of-text.ts';
import { AnswerMemory } from './response-cache.ts';

describe('AnswerMemory', () => {
  it('remembers an answer by what was asked for', () => {
    const memory = new AnswerMemory();
    const answer = answerOf('body');

    memory.remember(memory.generation, asked('/a', answer));

    expect([memory.find('/a'), memory.find('/b')]).toEqual([answer, undefined]);
  });

  it('has nothing after it was told to forget', () => {
    const memory = new AnswerMemory();
    memory.remember(memory.generation, asked('/a', answerOf('old')));
    expect(memory.find('/a')).toBeDefined();

    memory.forget();

    expect(memory.find('/a')).toBeUndefined();
    memory.remember(memory.generation, asked('/a', answerOf('new')));
    expect(memory.find('/a')?.found.representation.byteText).toBe('new');
  });

  it('never remembers after forgetting what was read before', () => {
    const memory = new AnswerMemory();
    const { generation } = memory;

    memory.remember(generation, asked('/a', answerOf('old')));
    memory.forget();
    memory.remember(generation, asked('/a', answerOf('old')));

    expect(memory.find('/a')).toBeUndefined();
  });

  it('keeps what was used last when there is no more room, and is bounded by bytes', () => {
    const memory = new AnswerMemory();
    const big = answerOf('x'.repeat(2 ** 18));
    for (let n = 0; n < 31; n += 1) memory.remember(memory.generation, asked(`/${n}`, big));
    memory.find('/0');

    for (let n = 31; n < 33; n += 1) memory.remember(memory.generation, asked(`/${n}`, big));

    const gone = Array.from({ length: 33 }, (_, n) => n).filter((n) => !memory.find(`/${n}`));
    expect(gone).toEqual([1, 2]);
  });

  it('does not remember an answer of more than 256 KB', () => {
    const memory = new AnswerMemory();

    memory.remember(memory.generation, asked('/a', answerOf('x'.repeat(2 ** 18 + 1))));

    expect(memory.find('/a')).toBeUndefined();
  });

  it('does not remember a key or a target of more than 200 characters', () => {
    const memory = new AnswerMemory();
    const [long, longer] = ['/'.repeat(200), '/'.repeat(201)];
    const answer = answerOf('body');

    memory.remember(memory.generation, asked(long, answer));
    memory.remember(memory.generation, { key: '/', target: longer, answer });
    memory.remember(memory.generation, { key: longer, target: '/', answer });

    expect([long, longer, '/'].map((target) => memory.find(target))).toEqual([
      answer,
      undefined,
      undefined,
    ]);
    expect(memory.findByKey('/', '/other')).toBe(answer);
  });

  it('keeps one answer for all targets that ask the same', () => {
    const memory = new AnswerMemory();
    const answer = answerOf('x'.repeat(2 ** 18));
    memory.remember(memory.generation, asked('/kept', answerOf('body')));
    memory.remember(memory.generation, { key: 'same', target: '/a?q=0', answer });

    for (let n = 1; n < 100; n += 1) memory.findByKey('same', `/a?q=${n}`);

    expect([memory.find('/a?q=0'), memory.find('/a?q=99')]).toEqual([answer, answer]);
    expect(memory.find('/kept')).toBeDefined();
  });

  it('does not find an answer by another target after it was told to forget', () => {
    const memory = new AnswerMemory();
    memory.remember(memory.generation, { key: 'same', target: '/a', answer: answerOf('old') });

    memory.forget();

    expect([memory.find('/a'), memory.findByKey('same', '/b')]).toEqual([undefined, undefined]);
  });
});
