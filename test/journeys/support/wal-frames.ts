const headerBytes = 32;
const frameHeaderBytes = 24;
const pageBytes = 4_096;
const frameBytes = frameHeaderBytes + pageBytes;

/** The part of SQLite's write-ahead log that contains a byte: its header, or a frame with a page. */
export function frameOf(at: number): { readonly start: number; readonly end: number } {
  if (at < headerBytes) return { start: 0, end: headerBytes };
  const start = headerBytes + Math.floor((at - headerBytes) / frameBytes) * frameBytes;
  return { start, end: start + frameBytes };
}

/**
 * Writes valid checksums into all frames, so that SQLite accepts damaged ones, as if it checked none (SQLite, WAL
 * format).
 */
export function acceptDamage(wal: Buffer): Buffer {
  const accepted = Buffer.from(wal);
  const isBigEndian = (accepted.readUInt32BE(0) & 1) === 1;
  const sumUp = ([first, second]: readonly [number, number], bytes: Buffer): [number, number] => {
    let [a, b] = [first, second];
    for (let at = 0; at < bytes.length; at += 8) {
      const word = (from: number): number =>
        isBigEndian ? bytes.readUInt32BE(from) : bytes.readUInt32LE(from);
      a = (a + word(at) + b) >>> 0;
      b = (b + word(at + 4) + a) >>> 0;
    }
    return [a, b];
  };
  let sums = sumUp([0, 0], accepted.subarray(0, 24));
  for (let at = headerBytes; at + frameBytes <= accepted.length; at += frameBytes) {
    sums = sumUp(sums, accepted.subarray(at, at + 8));
    sums = sumUp(sums, accepted.subarray(at + frameHeaderBytes, at + frameBytes));
    accepted.writeUInt32BE(sums[0], at + 16);
    accepted.writeUInt32BE(sums[1], at + 20);
  }
  return accepted;
}
