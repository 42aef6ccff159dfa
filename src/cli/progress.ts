/** How often a line changes. */
const intervalMs = 100;
const startOfLine = '\r\u001b[K';

/** Tells a person who waits how far it is. */
export type Progress = {
  readonly tell: (sentence: string) => void;
  /** Takes the line away again. */
  readonly end: () => void;
};

/** Standard error. */
type ProgressStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
};

/**
 * One line on standard error that changes while a command works; nothing where nobody is looking, so that
 * logs and scripts see what was done and not how it went.
 */
export function createProgress(stream: ProgressStream): Progress {
  if (stream.isTTY !== true) return { tell: () => {}, end: () => {} };
  let toldMs = -Infinity;
  return {
    tell: (sentence) => {
      if (performance.now() - toldMs < intervalMs) return;
      toldMs = performance.now();
      stream.write(startOfLine + sentence.slice(0, (stream.columns ?? 80) - 1));
    },
    end: () => {
      if (toldMs !== -Infinity) stream.write(startOfLine);
      toldMs = -Infinity;
    },
  };
}
