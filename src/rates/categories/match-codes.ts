/** A code of a row that matches a requested code. */
export type CodeMatch = {
  /** The row's longest matching code. */
  readonly code: string;
  /** The number of digits in common with the requested code. */
  readonly length: number;
  /** Whether the row's codes contain the whole requested code, not only a part of it. */
  readonly isWhole: boolean;
};

/**
 * Finds the row's code that begins with the requested one, or that it begins with (rule G4).
 *
 * Codes are compared by their digits. Section `F` of the CPA, which TEDB writes as a code, is the divisions 41 to 43.
 */
export function matchCodes(codes: readonly string[], requested: string): CodeMatch | undefined {
  const wanted = toDigits(requested);
  let best: { readonly code: string; readonly digits: number; readonly length: number } | undefined;
  const covered = new Set<string>();
  // A code has at least the two digits of its chapter or division; most codes have others than the requested one.
  const divisions = wanted.map((digits) => digits.slice(0, 2));
  for (const code of codes) {
    if (code !== 'F' && !divisions.some((division) => code.startsWith(division))) continue;
    for (const digits of toDigits(code)) {
      for (const one of wanted) {
        if (!digits.startsWith(one) && !one.startsWith(digits)) continue;
        if (one.startsWith(digits)) covered.add(one);
        if (best !== undefined && best.digits >= digits.length) continue;
        best = { code, digits: digits.length, length: Math.min(digits.length, one.length) };
      }
    }
  }
  if (best === undefined) return undefined;
  return { code: best.code, length: best.length, isWhole: covered.size === wanted.length };
}

function toDigits(code: string): readonly string[] {
  return code === 'F' ? ['41', '42', '43'] : [code.replaceAll('.', '')];
}

/** A requested CPA code as rows are compared with it. */
export type WantedCode = {
  /** The requested code, or the digits of its class. */
  readonly digits: string;
  /** Whether it is the class of the requested code, which no row matches itself. */
  readonly isClass: boolean;
};

/**
 * Chooses how rows are compared with a requested CPA code. Versions of the CPA differ below the class (55.10.10, 55.10.00),
 * so if no row matches the code, those that share its first four digits do (rule G4).
 */
export function chooseCpa(lists: readonly (readonly string[])[], cpa: string): WantedCode {
  const isMatched = cpa.length <= 4 || lists.some((codes) => matchCodes(codes, cpa) !== undefined);
  return isMatched ? { digits: cpa, isClass: false } : { digits: cpa.slice(0, 4), isClass: true };
}
