import { describe, expect, it } from 'vitest';
import { canRun, needsCheckout, readAllBlocks } from '../docs/support/command-blocks.ts';
import { findProblems, shareReader } from '../docs/support/reader.ts';
import { findMissingForm } from '../docs/support/shown-output.ts';

const blocks = readAllBlocks().filter((block) => canRun(block) && !needsCheckout(block));
const sixtyDaysMs = 60 * 86_400_000;

describe('commands of documents, with a demo that is started in sixty days', () => {
  const reader = shareReader({ now: () => Date.now() + sixtyDaysMs });

  it.each(blocks)('$place still works: $commands', async (block) => {
    const ended = await reader().run(block);

    expect(findProblems(block, ended, findMissingForm)).toEqual([]);
  });
});
