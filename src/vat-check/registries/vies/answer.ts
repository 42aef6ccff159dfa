import { childText, optionalText, type XmlNode } from '../../../platform/upstream/xml-shape.ts';
import { type Answer, readDisclosed } from '../outcome.ts';
import { readRequestDate } from './document.ts';

/** Reads the answer to `checkVat`. */
export function readAnswer(message: XmlNode): Answer {
  return {
    ...readVerdict(message),
    name: readDisclosed(optionalText(message, 'name')),
    address: readDisclosed(optionalText(message, 'address')),
  };
}

/** Reads the part that the answers to both operations have. */
export function readVerdict(message: XmlNode): Pick<Answer, 'valid' | 'requestDate'> {
  return {
    valid: ['true', '1'].includes(childText(message, 'valid')),
    requestDate: readRequestDate(childText(message, 'requestDate')) ?? '',
  };
}
