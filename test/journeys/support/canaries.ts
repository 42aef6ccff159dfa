/** The length of a piece of a canary that counts as a leak. */
const pieceChars = 8;

/** Texts that must never appear in any output, and the search for them. */
export class Canaries {
  readonly all: readonly string[];
  readonly #pieces = new Set<string>();

  constructor(canaries: readonly string[]) {
    this.all = canaries;
    for (const canary of canaries.map((text) => text.toLowerCase())) {
      for (let at = 0; at + pieceChars <= canary.length; at += 1) {
        this.#pieces.add(canary.slice(at, at + pieceChars));
      }
    }
  }

  /** The places of pieces of them in a text, each with the text around it. */
  tracesIn(text: string): readonly string[] {
    const searched = text.toLowerCase();
    const traces: string[] = [];
    for (let at = 0; at + pieceChars <= searched.length; at += 1) {
      if (!this.#pieces.has(searched.slice(at, at + pieceChars))) continue;
      traces.push(text.slice(Math.max(0, at - 40), at + 80));
      at += 80;
    }
    return traces;
  }
}
