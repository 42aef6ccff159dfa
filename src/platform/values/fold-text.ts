/**
 * A text in the form in which texts are compared that a person would call the same: normalised with Unicode NFKC, with full
 * case folding (`ß` is `ss`, each sigma is one), and with one blank for a run of blanks and line ends. Not for display.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      // Upper case makes the folds of full case folding, but also an I of the dotless i, which is a letter of its own.
      .replaceAll(/[^ı]+/g, (part) => part.toUpperCase())
      .normalize('NFKC')
      .replaceAll(/[\s\u0085]+/g, ' ')
      .trim()
  );
}
