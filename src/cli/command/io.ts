/**
 * The surroundings of a command: streams, environment, signals and exit.
 *
 * `process` has this type. Tests pass their own, so that a test calls a command as a function and several commands
 * run in one process.
 */
export type Io = {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  on(event: ProcessEvent, listener: Listener): unknown;
  off(event: ProcessEvent, listener: Listener): unknown;
  /** Ends the process immediately; without a code, with that of the command. */
  exit(code?: number): never;
};

/** Standard input. */
type InputStream = AsyncIterable<Buffer> & { readonly isTTY?: boolean };

/** Standard output or standard error. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Length of the output that is not written yet. */
  readonly writableLength?: number;
};

type ProcessEvent = 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'unhandledRejection';
type Listener = (reason: unknown) => void;
