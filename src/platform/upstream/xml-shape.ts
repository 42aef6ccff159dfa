import { quote } from '../values/quote.ts';
import { trimBlanks } from './xml-blanks.ts';

/**
 * The shape of a document: an element, its content, and how often and in which order its children occur.
 *
 * It is an XML Schema as data, and is checked while the document streams in. An answer that its schema forbids is
 * refused instead of being guessed.
 */
export type XmlShape = {
  readonly namespace: string;
  readonly name: string;
  /** The number of occurrences in its place; 1 if left out. */
  readonly min?: number;
  readonly max?: number;
  /** The attributes, all required, each with the values that it may have. */
  readonly attributes?: readonly (readonly [name: string, values: RegExp])[];
  /** The form of the text of a leaf, blank edges removed. An element without a form has no text. */
  readonly text?: TextForm;
  /** The children in their order. */
  readonly children?: readonly XmlShape[];
  /** Exactly one of the children instead of all in order. */
  readonly choice?: true;
  /** Any content is accepted, and kept. */
  readonly anything?: true;
  /** Handed over one by one as they close, and not kept in the document. */
  readonly each?: true;
  /** Checked, but not kept. */
  readonly drop?: true;
  /** Children that the shape does not know are passed over and reported; those that it knows stay strict. */
  readonly open?: true;
  /** Unreadable characters in its text do not refuse the document, and are reported. */
  readonly lenient?: true;
  /** A leaf that does not decide: if it cannot be read, its text is empty, and if it is missing, it is; both are reported. */
  readonly undecisive?: true;
};

type TextForm = Pick<RegExp, 'test'>;

/** The parts of a document that its shape does not know, or whose text is unreadable, and lets pass. */
export type XmlRemarks = {
  /** Names of the elements that were passed over, with their numbers. */
  readonly unknownElements: ReadonlyMap<string, number>;
  /** The number of unreadable characters in lenient texts. */
  readonly unreadable: number;
  /** Names of undecisive elements that could not be read, or that are missing. */
  readonly unreadableElements: ReadonlySet<string>;
};

/** An element that is passed over with everything in it. */
const passedOver: XmlShape = { namespace: '', name: '', anything: true, drop: true };

/** An element as it opens, as saxes gives it. Prefixes mean nothing. */
export type XmlElement = {
  /** The namespace; empty if there is none. */
  readonly uri: string;
  readonly local: string;
  /** By their names as they are written: one of a shape has no prefix, so no namespace. */
  readonly attributes: Readonly<Record<string, { readonly value: string }>>;
};

export type XmlNode = {
  readonly name: string;
  /** Its own text, untouched. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
};

/** Makes leaves in a namespace; an optional one has the `min` 0. */
export function leavesIn(
  namespace: string,
): (name: string, text: TextForm, min?: number) => XmlShape {
  return (name, text, min = 1) => ({ namespace, name, text, min });
}

/** Any text at all. */
export const anyText = /^[^]*$/;
/** A date with an optional time zone (`xs:date`): `2026-11-20`, `2026-11-20+01:00`. */
export const dateText =
  /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(Z|[+-][0-9]{2}:[0-9]{2})?$/;

/** The attributes that an element may have; real documents have fewer than ten. */
const attributesMax = 32;
const unknownElementsMax = 20;
const noAttributes: XmlNode['attributes'] = {};

type Frame = {
  readonly shape: XmlShape | undefined;
  readonly node: XmlNode & { text: string };
  /** The place of the newest child among those of the shape, and how many of that child have come. */
  position: number;
  count: number;
  /** Whether an undecisive element has something in it that its text does not show. */
  isUnreadable: boolean;
};

/** Reads the text of a lenient element, and counts its unreadable characters. */
type LenientReader = {
  forgive(text: string): { readonly text: string; readonly unreadable: number };
};

/** Checks one document against a shape, event by event. `refuse` throws. */
export class ShapeReader {
  readonly #root: XmlShape;
  readonly #onEach: (node: XmlNode) => void;
  readonly #refuse: (detail: string) => never;
  readonly #frames: Frame[] = [];
  readonly #lenient: LenientReader | undefined;
  readonly #unknownElements = new Map<string, number>();
  readonly #unreadableElements = new Set<string>();
  #unreadable = 0;
  #document: XmlNode | undefined;

  constructor(
    root: XmlShape,
    onEach: (node: XmlNode) => void,
    refuse: (detail: string) => never,
    lenient?: LenientReader,
  ) {
    this.#root = root;
    this.#onEach = onEach;
    this.#refuse = refuse;
    this.#lenient = lenient;
  }

  get remarks(): XmlRemarks {
    return {
      unknownElements: this.#unknownElements,
      unreadable: this.#unreadable,
      unreadableElements: this.#unreadableElements,
    };
  }

  /** The root element, after the document has ended. */
  get document(): XmlNode {
    return this.#document ?? this.#refuse('no document');
  }

  open(element: XmlElement): void {
    const parent = this.#frames.at(-1);
    const shape = parent === undefined ? this.#matchRoot(element) : this.#match(parent, element);
    const attributes = this.#readAttributes(element, shape);
    const node = { name: element.local, text: '', attributes, children: [] };
    this.#frames.push({ shape, node, position: 0, count: 0, isUnreadable: false });
  }

  close(text: string): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const { node } = frame;
    node.text = frame.shape?.lenient === true ? this.#readLenient(text, frame) : text;
    if (frame.shape?.undecisive === true) this.#readUndecisive(frame, frame.shape);
    else if (frame.shape !== undefined) this.#checkContent(frame, frame.shape, node.text);

    const parent = this.#frames.at(-1);
    if (parent === undefined) this.#document = node;
    else if (frame.shape?.each === true) this.#onEach(node);
    else if (frame.shape?.drop !== true) parent.node.children.push(node);
  }

  #readLenient(text: string, frame: Frame): string {
    const { text: plain, unreadable } = this.#lenient?.forgive(text) ?? { text, unreadable: 0 };
    this.#unreadable += unreadable;
    if (unreadable > 0) frame.isUnreadable = true;
    return plain;
  }

  #readUndecisive({ node, isUnreadable }: Frame, { name, text }: XmlShape): void {
    if (!isUnreadable && text?.test(trimBlanks(node.text)) !== false) return;
    node.text = '';
    this.#unreadableElements.add(name);
  }

  #readAttributes(element: XmlElement, shape: XmlShape | undefined): XmlNode['attributes'] {
    const { local } = element;
    const names = Object.keys(element.attributes);
    if (names.length > attributesMax) {
      this.#refuse(`an element with over ${attributesMax} attributes`);
    }
    // Most elements have none.
    if (names.length === 0 && shape?.attributes === undefined) return noAttributes;
    const attributes: Record<string, string> = {};
    for (const [name, pattern] of shape?.attributes ?? []) {
      const value = element.attributes[name]?.value;
      if (value === undefined) this.#refuse(`<${quote(local)}> without the attribute ${name}`);
      if (!pattern.test(value)) this.#refuse(`<${quote(local)}> with ${name} "${quote(value)}"`);
      attributes[name] = value;
    }
    for (const name of names) {
      if (shape === undefined || shape.anything === true || isForeign(name)) continue;
      if (shape.undecisive === true || Object.hasOwn(attributes, name)) continue;
      this.#refuse(`<${quote(local)}> with an unexpected attribute`);
    }
    return attributes;
  }

  #matchRoot(element: XmlElement): XmlShape {
    const { namespace, name } = this.#root;
    if (element.local === name && element.uri === namespace) return this.#root;
    return this.#refuse(`the document is a <${quote(element.local)}>, expected a <${name}>`);
  }

  #match(parent: Frame, element: XmlElement): XmlShape | undefined {
    const { shape } = parent;
    if (shape === undefined || shape.anything === true) return undefined;

    const children = shape.children ?? [];
    if (shape.undecisive === true) {
      parent.isUnreadable = true;
      return passedOver;
    }
    if (shape.open === true && !children.some((child) => isOf(child, element))) {
      return this.#passOver(element);
    }
    for (let at = shape.choice === true ? 0 : parent.position; at < children.length; at += 1) {
      const child = children[at] as XmlShape;
      const count = at === parent.position ? parent.count : 0;
      if (isOf(child, element)) {
        if (shape.choice === true ? parent.count > 0 : count >= (child.max ?? 1)) break;
        parent.position = at;
        parent.count = count + 1;
        return child;
      }
      if (shape.choice !== true && count < leastOf(child)) break;
    }
    return this.#refuse(`an unexpected <${quote(element.local)}> in <${shape.name}>`);
  }

  #passOver({ local }: XmlElement): XmlShape {
    // An answer has few names; one with many has nothing in common with its schema.
    if (this.#unknownElements.size > unknownElementsMax) {
      this.#refuse(`over ${unknownElementsMax} elements that the schema does not know`);
    }
    this.#unknownElements.set(local, (this.#unknownElements.get(local) ?? 0) + 1);
    return passedOver;
  }

  #checkContent(frame: Frame, shape: XmlShape, text: string): void {
    if (shape.anything === true) return;
    const trimmed = trimBlanks(text);
    // Not quoted: an unexpected text may be a person's name.
    if (shape.text === undefined && trimmed !== '') {
      this.#refuse(`<${shape.name}> with text between its elements`);
    }
    if (shape.text !== undefined && !shape.text.test(trimmed)) {
      this.#refuse(`<${shape.name}> with the text "${quote(trimmed)}"`);
    }
    const missing = findMissing(frame, shape);
    if (missing !== undefined) this.#refuse(`<${shape.name}> without <${missing.name}>`);
    for (const { name, undecisive, min } of shape.children ?? []) {
      if (undecisive !== true || min === 0) continue;
      const isThere = frame.node.children.some((child) => child.name === name);
      if (!isThere) this.#unreadableElements.add(name);
    }
  }
}

function isOf({ name, namespace }: XmlShape, { local, uri }: XmlElement): boolean {
  return name === local && namespace === uri;
}

/** The first child that a shape requires and an element does not have. */
function findMissing({ position, count }: Frame, shape: XmlShape): XmlShape | undefined {
  const { children = [], choice } = shape;
  if (choice === true) return count === 0 ? children[0] : undefined;
  return children.find(
    (child, at) => at >= position && (at === position ? count : 0) < leastOf(child),
  );
}

/** The least number of occurrences without which a document is refused. */
function leastOf({ min, undecisive }: XmlShape): number {
  return undecisive === true ? 0 : (min ?? 1);
}

/** The text of a child that the shape guarantees, blank edges removed. */
export function childText(node: XmlNode, name: string): string {
  return childNode(node, name).text.trim();
}

/** The same for a child that may be missing. */
export function optionalText(node: XmlNode, name: string): string | undefined {
  return node.children.find((child) => child.name === name)?.text.trim();
}

/** A child that the shape guarantees. */
export function childNode(node: XmlNode, name: string): XmlNode {
  const child = node.children.find((candidate) => candidate.name === name);
  if (child === undefined) throw new Error(`xml: <${node.name}> was read without <${name}>`);
  return child;
}

/** A declaration of a namespace, or an attribute of another one, which schemas allow (`xsi:type`). */
function isForeign(name: string): boolean {
  return name === 'xmlns' || name.includes(':');
}
