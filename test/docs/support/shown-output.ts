/**
 * The pieces of a shown output that the real output lacks, in their order; `…` stands for any text.
 *
 * Line ends and indentation are layout, and the milliseconds of an instant are those of one run. A shown response with a head (`curl -i`)
 * shows its status line and some of its headers.
 */
export function findMissing(shown: string, printed: string): readonly string[] {
  const [shownHead, shownBody] = splitHead(shown);
  const [head, body] = splitHead(printed.replaceAll('\r\n', '\n'));
  const headers = head.split('\n').map((line) => line.toLowerCase());
  const missing = shownHead
    .split('\n')
    .filter((line) => line !== '' && !headers.includes(line.toLowerCase()));
  let rest = compact(body);
  for (const piece of shownBody.split('…').map(compact)) {
    const index = rest.indexOf(piece);
    if (index < 0) missing.push(piece);
    else rest = rest.slice(index + piece.length);
  }
  return missing;
}

/** The same for another day: only that each value has its form, because dates, rates and ids differ. */
export function findMissingForm(shown: string, printed: string): readonly string[] {
  return findMissing(formOf(shown), formOf(printed));
}

/** The status line that a shown output begins with. */
export function readShownStatus(shown: string | undefined): number | undefined {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(shown ?? '') ?? [];
  return status === undefined ? undefined : Number(status);
}

function splitHead(text: string): readonly [head: string, body: string] {
  if (!text.startsWith('HTTP/')) return ['', text];
  const index = text.indexOf('\n\n');
  return [text.slice(0, index), text.slice(index + 2)];
}

function compact(text: string): string {
  return text
    .replaceAll(/\n\s*/g, '')
    .replaceAll(/\.\d{3}Z/g, '.000Z')
    .trim();
}

function formOf(text: string): string {
  return text
    .replaceAll(/\b([a-z]+)_[0-9a-f]{16,}/g, '$1_0')
    .split('\n')
    .map((line) => (line.startsWith('HTTP/') ? line : line.replaceAll(/\d+(?:\.\d+)?/g, '0')))
    .join('\n');
}
