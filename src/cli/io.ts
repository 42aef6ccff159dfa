/**
 * The surroundings of a command: streams, environment, signals and exit.
 *
 * `process` has this type. Tests pass their own, so that a test calls a command as a function and several commands
 * run in one process.
 */
export type Io = {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  on(event: ProcessEvent, listener: Listener): unknown;
  off(event: ProcessEvent, listener: Listener): unknown;
  /** Ends the process immediately. */
  exit(code: number): never;
};

/** Standard output or standard error. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

type ProcessEvent = 'SIGINT' | 'SIGTERM' | 'unhandledRejection';
type Listener = (reason: unknown) => void;
