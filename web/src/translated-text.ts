import { type ComponentChildren, createElement, Fragment, options, type VNode } from 'preact';

/** Elements in which only text may stand. */
const textOnly: ReadonlySet<unknown> = new Set(['option', 'title', 'text', 'tspan']);

/** The element around a text: no style sheet knows it, and browsers show an unknown element as they show text. */
const wrapper = 'x-text';

/**
 * Lets a browser translate the console.
 *
 * A translator replaces text nodes by elements of its own. Preact would then write a later value into a node that is no longer
 * on the page, and the page would keep the translation of the value before. So each text stands in an element whose key is the
 * text: another text is another element. Where only text may stand, the key is that of the element around it.
 *
 * A component must not return a bare string: such a text has no element of its own.
 */
export function keepTranslatable(): void {
  options.vnode = (vnode) => {
    const { type } = vnode;
    const isHost = typeof type === 'string' && type !== wrapper;
    if (isHost || type === Fragment) separateTexts(vnode);
  };
}

function separateTexts(vnode: VNode<{ children?: ComponentChildren }>): void {
  const { children } = vnode.props;
  if (textOnly.has(vnode.type)) vnode.key = `${String(vnode.key ?? '')} ${printText(children)}`;
  else if (children !== undefined) vnode.props.children = wrapTexts(children);
}

function printText(children: unknown): string {
  if (Array.isArray(children)) return children.map(printText).join('');
  return isText(children) ? String(children) : '';
}

/** The children, with each text that stands between others as one element. Every other child keeps its place. */
function wrapTexts(children: ComponentChildren): ComponentChildren {
  if (!Array.isArray(children)) return isText(children) ? wrap(printText(children)) : children;
  const all: readonly ComponentChildren[] = children;
  return all.map((child, at) => {
    if (!isText(child)) return wrapTexts(child);
    if (isText(all[at - 1])) return null;
    const end = all.findIndex((one, after) => after > at && !isText(one));
    return wrap(printText(all.slice(at, end < 0 ? undefined : end)));
  });
}

function isText(child: unknown): child is string | number | bigint {
  return (
    (typeof child === 'string' && child !== '') ||
    typeof child === 'number' ||
    typeof child === 'bigint'
  );
}

function wrap(text: string): VNode {
  return createElement(wrapper, { key: text }, text);
}
