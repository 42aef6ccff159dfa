import type { Answer } from './answer.ts';

/** Where a redirect leads; the sandbox serves {@link sorryPage} there. */
export const sorryPath = '/sorry';

/** The page of an interruption, under 200 like the one that the Commission shows. */
export const sorryPage = makePage(200, 'Sorry', 'This service is interrupted for maintenance.');

export const movedPage: Answer = withHeader(
  makePage(302, '302', 'The document has moved.'),
  'Location',
  sorryPath,
);

/** A page of HTML, not well-formed as XML, where something else was asked for. */
export function makePage(status: number, title: string, sentence: string): Answer {
  const body =
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">' +
    `<title>${title}</title></head><body><h1>${title}</h1><p>${sentence}<br></body></html>\n`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  };
}

function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}
