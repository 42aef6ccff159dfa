import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Whether this is the first view of the page. Its heading does not take the focus; those of later views do. */
let isFirst = true;

/** The heading of a view, and a line below that describes its content. */
export function ViewHead(props: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  // Not after the paint: a visitor can have entered a field by then.
  useLayoutEffect(() => {
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst = false;
  }, []);
  return (
    <header class="view-head">
      <h1 id="view-title" tabIndex={-1} ref={heading}>
        {props.title}
      </h1>
      {props.children === undefined ? null : <p class="lead">{props.children}</p>}
    </header>
  );
}
