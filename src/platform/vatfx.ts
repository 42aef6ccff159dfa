import { assets } from './assets.ts';

/** What starts the program in the terminal of an operator. Only a checkout has sources. */
export const programCall = assets.has('src/main.ts') ? 'npm run -s vatfx --' : 'vatfx';

/** A command as it works here, for a sentence to an operator: `vatfx keys list`, in a checkout `npm run -s vatfx -- keys list`. */
export function vatfx(words: string): string {
  return `${programCall} ${words}`;
}
