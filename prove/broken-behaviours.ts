import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One changed line of the product, what a user would see then, and the test file that finds it. */
export type BrokenBehaviour = {
  readonly seen: string;
  readonly file: string;
  /** A part of one line, which is in the file exactly once, and the text that replaces it. */
  readonly text: string;
  readonly becomes: string;
  readonly foundBy: string;
  /** The project of the tests, if it is not one of a commit without PostgreSQL. */
  readonly project?: string;
};

const list = new URL('./broken-behaviours.json', import.meta.url);

/** The list of `broken-behaviours.json`, over all features. */
export const brokenBehaviours = JSON.parse(
  readFileSync(list, 'utf8'),
) as readonly BrokenBehaviour[];

/** Gives the source with the change. Throws if the text is not there exactly once. */
export function breakText(source: string, { file, text, becomes }: BrokenBehaviour): string {
  const [before, after, ...more] = source.split(text);
  if (before === undefined || after === undefined || more.length > 0 || text.includes('\n')) {
    throw new Error(`${file} no longer has this exactly once: ${text}`);
  }
  return before + becomes + after;
}

/** Reasons why behaviours cannot be tried any more; none if the list fits the tree at `root`. */
export function listOutdated(root: string, all = brokenBehaviours): readonly string[] {
  return all.flatMap((one) => {
    if (!existsSync(join(root, one.foundBy))) return [`there is no ${one.foundBy}: ${one.seen}`];
    try {
      breakText(readFileSync(join(root, one.file), 'utf8'), one);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}
