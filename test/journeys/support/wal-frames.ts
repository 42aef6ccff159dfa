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
