import type { JSX } from 'preact';

/** Texts of up to this length are shown whole. */
const shownMax = 600;
/** The beginning of a longer text, which is cut at the end of a word. */
const beginningMax = 400;

/** A text with line breaks. Of a long one only the beginning is shown until the visitor unfolds the rest. */
export function LongText(props: {
  readonly text: string;
  /** The button that unfolds it: “Whole comment”. */
  readonly label: string;
}): JSX.Element {
  const { text, label } = props;
  if (text.length <= shownMax) return <p class="long-text">{text}</p>;
  const cut = text.slice(0, beginningMax);
  const beginning = cut.slice(0, Math.max(cut.search(/\s\S*$/), beginningMax / 2));
  return (
    <details class="long-text">
      <summary>
        <span class="beginning">{beginning} …</span>{' '}
        <span class="unfold">
          {label} ({text.length.toLocaleString('en-GB')} characters)
        </span>
      </summary>
      <p>{text}</p>
    </details>
  );
}
