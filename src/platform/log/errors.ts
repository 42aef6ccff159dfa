import { messageMax, quote } from '../values/quote.ts';
import { nameSource } from './source-maps.ts';

/** The code of an error of Node, such as `ENOENT`; undefined for an error without a code, and for other values. */
export function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

type DescribedError = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: unknown;
};

/** Causes of an error that are described; further ones are left out. */
const causesMax = 8;
/** Characters of a code; those of Node have fewer than 40. */
const codeMax = 80;

/**
 * Message, stack and code of an error and its causes, for the log. Other properties are left out: libraries put their
 * arguments into errors, `new URL` its `input` and Redis its `command`, and these may hold a password (contract C33).
 * Each message has 1,000 characters at most, and no line end: it cannot look like lines of the log or of the stack.
 */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: messageOf(error) };
  const chain = causesOf(error);
  const message = messageOf(error);
  const stack = chain.map(stackOf).join('\ncaused by: ');
  const code = errorCodeOf(error);
  const type = quote(error.constructor.name || error.name);
  return { type, message, stack, ...(code === undefined ? {} : { code: printCode(code) }) };
}

/** The messages of an error and its causes as `describeError` has them, for a line without a stack. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'not an error';
  return causesOf(error)
    .map((one) => quote(one.message, messageMax))
    .join(': ');
}

/**
 * A copy of an error whose message may repeat what an upstream wrote, and of its causes: each message is quoted
 * (operator.md O19), also in the stack. Other properties than the code are left out.
 */
export function quoteError(error: Error): Error {
  let copy: Error | undefined;
  for (const one of causesOf(error).reverse()) {
    const message = quote(one.message);
    const of: Error = new Error(message, copy === undefined ? undefined : { cause: copy });
    const code = errorCodeOf(one);
    Object.assign(of, { name: quote(one.name) }, code === undefined ? {} : { code });
    of.stack = [`${of.name}: ${message}`, ...framesOf(one)].join('\n');
    copy = of;
  }
  return copy ?? error;
}

/** An error and its causes, each once. */
function causesOf(error: Error): Error[] {
  const chain = new Set<Error>();
  for (let at: unknown = error; at instanceof Error && !chain.has(at); at = at.cause) {
    if (chain.size === causesMax) break;
    chain.add(at);
  }
  return [...chain];
}

function stackOf(error: Error): string {
  const head = `${quote(error.name)}: ${quote(error.message, messageMax)}`;
  return [head, ...framesOf(error).map(nameSource)].join('\n');
}

/** The lines of a stack behind the message, which may have lines that look like them. */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const end = stack.indexOf(message) + message.length;
  const frames = stack.slice(stack.includes(message) ? end : 0).split('\n');
  return frames.filter((line) => /^ +at /.test(line)).map((line) => quote(line, messageMax));
}

function printCode(code: unknown): unknown {
  return typeof code === 'string' ? quote(code, codeMax) : code;
}
