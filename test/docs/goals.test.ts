import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goals } from '../../bench/goals.ts';
import { judge } from '../../bench/results.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const own = new Map<string, readonly string[]>(
  Object.entries(goals).map(([question, of]) => [question, Object.values(of)]),
);

/** The rows of the results that have a goal. */
const rows = read('bench/RESULTS.md')
  .split('\n')
  .filter((line) => /[≥≤]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', median = '', , , , , goal = '', verdict = '']) => {
    return { name, question: name.split(/[ ,]/)[0] ?? '', median: Number(median), goal, verdict };
  });

describe('the goals of performance (bench/goals.ts)', () => {
  it('are those of the results, which are judged by them', () => {
    expect(rows.length).toBeGreaterThan(50);
    const other = rows.filter(({ question, goal }) => {
      return !own.get(question)?.some((one) => goal === one || goal.includes(`cores ${one},`));
    });
    // A figure that was rounded to its goal is judged before.
    const wrong = rows.filter(({ median, goal, verdict }) => {
      return !goal.endsWith(` ${median}`) && judge(median, goal) !== verdict;
    });

    expect({ other, wrong }).toEqual({ other: [], wrong: [] });
  });

  it('stand in no other file of the benches', () => {
    const files = globSync('bench/*.ts').filter((file) => /['"`][≥≤] \d/.test(read(file)));

    expect(files).toEqual(['bench/goals.ts']);
  });

  const page = new URL('../../../shared/quality/performance.md', import.meta.url);
  it.skipIf(!existsSync(page))('are those of the page of performance', () => {
    const text = readFileSync(page, 'utf8');
    const set = {
      ...goals,
      P8: { commit: goals.P8.commit },
      P9: { memory: goals.P9.memory },
      P10: { rate: '≥ 4,000' },
      P15: { post: goals.P15.post, list: goals.P15.list },
      P16: { tenYears: goals.P16.tenYears },
      P17: { memory: goals.P17.memory, woken: goals.P17.woken },
      // Of other pages.
      P18: {},
      C26a: {},
    };
    const missing = Object.entries(set).flatMap(([question, of]) => {
      const row = new RegExp(`(?:^\\| |\\b)${question} .*`, 'm').exec(text)?.[0] ?? '';
      return Object.values(of)
        .filter((goal) => !row.includes(goal))
        .map((goal) => `${question} ${goal}`);
    });

    expect(missing).toEqual([]);
    expect(goals.P10.rate).toBe('≥ 4000');
  });
});
