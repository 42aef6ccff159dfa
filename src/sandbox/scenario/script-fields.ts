import type { FieldReader } from './field-reader.ts';

/** How the values that several parts of a script have in common are read. */

const longestLatencyMs = 600_000;

export function readLatency(reader: FieldReader): number | undefined {
  return reader.read('latencyMs', `a whole number from 0 to ${longestLatencyMs}`, (value) =>
    readCount(value, 0, longestLatencyMs),
  );
}

export function readTimes(reader: FieldReader): number | null | undefined {
  return reader.read('times', 'a whole number from 1 to 1000000, or null for always', (value) =>
    value === null ? null : readCount(value, 1, 1_000_000),
  );
}

export function readBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function readCount(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
    ? Number(value)
    : undefined;
}

export function oneOf(words: readonly string[]): string {
  return `one of ${words.join(', ')}`;
}

export function member<T extends string>(words: readonly T[]): (value: unknown) => T | undefined {
  return (value) => words.find((word) => word === value);
}

/** Leaves out what was not given, so that merging does not overwrite with nothing. */
export function defined<T extends object>(
  record: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
