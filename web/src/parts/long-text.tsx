import type { JSX } from 'preact';

/** Texts of up to this length are shown whole. */
const shownMax = 600;
/** The beginning of a longer text, which is cut at the end of a word. */
const beginningMax = 400;
/** The characters of a comment that stand beside a rate in a list of all countries, goods or differences (rule G5a). */
export const listMax = 140;

/** A text with line breaks. Of a long one only the beginning is shown until the visitor unfolds the rest. */
export function LongText(props: {
  readonly text: string;
  /** The button that unfolds it: “Whole comment”. */
  readonly label: string;
  /** The length up to which the text is shown whole, and that of its beginning; by default 600 and 400. */
  readonly max?: number;
}): JSX.Element {
  const { text, label, max } = props;
  if (text.length <= (max ?? shownMax)) return <p class="long-text">{text}</p>;
  return (
    <details class="long-text">
      <summary>
        <span class="beginning">{beginningOf(text, max ?? beginningMax)}</span>{' '}
        <span class="unfold">
          {label} ({text.length.toLocaleString('en-GB')} characters)
        </span>
      </summary>
      <p>{text}</p>
    </details>
  );
}

/** The beginning of a text, cut at the end of a word, and “…”; a text that is not longer as it is. */
export function beginningOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  return `${cut.slice(0, Math.max(cut.search(/\s\S*$/), max / 2))} …`;
}
