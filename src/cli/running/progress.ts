/** Minimum time between two changes of the line. */
const intervalMs = 100;
const startOfLine = '\r\u001b[K';

/** Progress of a command, for an operator at a terminal; the line is removed when it is disposed of. */
export type Progress = {
  readonly show: (sentence: string) => void;
} & Disposable;

/** Standard error. */
type ProgressStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
};

/**
 * Shows progress as one line that changes in place. Prints nothing if the stream is not a terminal, so that logs
 * and scripts get the result only.
 */
export function createProgress(stream: ProgressStream): Progress {
  if (stream.isTTY !== true) return { show: () => {}, [Symbol.dispose]: () => {} };
  let shownMs = -Infinity;
  return {
    show: (sentence) => {
      if (performance.now() - shownMs < intervalMs) return;
      shownMs = performance.now();
      stream.write(startOfLine + sentence.slice(0, (stream.columns ?? 80) - 1));
    },
    [Symbol.dispose]: () => {
      if (shownMs !== -Infinity) stream.write(startOfLine);
    },
  };
}
