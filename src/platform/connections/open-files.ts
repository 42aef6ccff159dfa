import { readFileSync } from 'node:fs';

/**
 * Files that are open beside API connections: 512 deliveries and their DNS queries, 256 connections of the operations
 * port, upstreams, the database, the log.
 */
const otherFiles = 1_000;

/** The most connections, and the most files that the process may open. */
export type Room = {
  readonly connectionsMax: number;
  /** Infinity if it is unknown. */
  readonly filesMax: number;
};

/**
 * The most connections at the same time: `wanted`, or fewer if the process may open too few files to leave enough
 * for upstreams and the database. At least half of the files are for connections.
 */
export function roomFor(wanted: number, filesMax: number = readFilesMax()): Room {
  const most = Math.max(filesMax - otherFiles, Math.floor(filesMax / 2));
  return { connectionsMax: Math.min(wanted, most), filesMax };
}

/** The limit of this process, which Node has already raised as far as possible; known on Linux. */
function readFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max open files +(\d+|unlimited) /m.exec(limits)?.[1];
    return soft === undefined || soft === 'unlimited' ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
