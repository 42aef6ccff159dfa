import { readFileSync } from 'node:fs';

/**
 * Files that are open beside connections: 512 deliveries and their look-ups of names, 256 connections of the
 * operations port, upstreams, the database, the log.
 */
const otherFiles = 1_000;

/** How many connections there may be, and what the process may open. */
export type Room = {
  readonly connectionsMax: number;
  /** Infinity where the system does not tell. */
  readonly filesMax: number;
};

/**
 * How many connections there may be at the same time: `wanted`, or fewer where the process may not open so many
 * files that enough are left for upstreams and the database. At least half of the files are for connections.
 */
export function roomFor(wanted: number, filesMax: number = readFilesMax()): Room {
  const most = Math.max(filesMax - otherFiles, Math.floor(filesMax / 2));
  return { connectionsMax: Math.min(wanted, most), filesMax };
}

/** The limit of this process, which Node has raised as far as it may; known on Linux. */
function readFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max open files +(\d+|unlimited) /m.exec(limits)?.[1];
    return soft === undefined || soft === 'unlimited' ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
