import type { ComponentChildren, JSX } from 'preact';
import type { NoticeKind } from './notice-kind.ts';

const signs: Readonly<Record<NoticeKind, string>> = {
  good: '✓',
  bad: '✕',
  problem: '!',
  hint: 'i',
};

/** A box with a message and advice. Screen readers read it out when it appears. */
export function Notice(props: {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { kind, title, children } = props;
  return (
    <div class={`notice notice-${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      <span class="notice-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <div>
        <p class="notice-title">{title}</p>
        {children}
      </div>
    </div>
  );
}
