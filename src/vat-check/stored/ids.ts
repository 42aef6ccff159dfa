import { randomBytes } from 'node:crypto';

/** The forms of the ids of checks, batches and watches. */
export const idForms = {
  vc: /^vc_[0-9a-f]{32}$/,
  vb: /^vb_[0-9a-f]{32}$/,
  vw: /^vw_[0-9a-f]{32}$/,
} as const;

type Prefix = keyof typeof idForms;

/**
 * Creates the id of a check, a batch or a watch. It begins with the moment of the creation and the place among those that are
 * created together, so that ids sort by their creation.
 */
export function createId(prefix: Prefix, nowMs: number, place = 0): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${prefix}_${time}${place.toString(16).padStart(4, '0')}${randomBytes(8).toString('hex')}`;
}

/** A text that is greater than the ids of all things that were created before a moment, and less than all other ids. */
export function firstIdOf(prefix: Prefix, ms: number): string {
  return `${prefix}_${Math.max(0, ms).toString(16).padStart(12, '0')}`;
}
