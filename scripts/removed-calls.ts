import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

/** Functions that the bundler takes for free of effects, although most of them throw for some values. */
const names =
  'Boolean Date Object String decodeURI decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt'.split(
    ' ',
  );

/**
 * Refuses a module that calls one of these functions only to see if it throws: the bundler removes a call whose result is not
 * used, so the shipped program would not do what its sources do.
 */
export const refuseRemovedCalls: Plugin = {
  name: 'refuse-removed-calls',
  transform: {
    filter: { code: new RegExp(`\\b(?:${names.join('|')})\\(`) },
    handler(code, id) {
      new Visitor({
        ExpressionStatement({ expression }) {
          if (expression.type !== 'CallExpression') return;
          const { callee } = expression;
          if (callee.type !== 'Identifier' || !names.includes(callee.name)) return;
          throw new Error(
            `${id}: use the result of ${callee.name}(), or the bundle has no such call`,
          );
        },
      }).visit(parseSync(id, code).program);
    },
  },
};
