import { languages } from './samples/samples.ts';

/** Shows the samples in the chosen language; without a script too. */
const shownSamples = languages
  .map(({ id }) => `:root:has(#in-${id}:checked) .code[data-in="${id}"]`)
  .join(', ');
const anySample = languages.map(({ id }) => `.code[data-in="${id}"]`).join(', ');

/** The style of the reference page. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e9ee); --dim: light-dark(#55606e, #9aa6b5);
  --paper: light-dark(#fff, #14171c); --raised: light-dark(#f4f6f9, #1c2129); --line: light-dark(#dde2ea, #2e3541);
  --link: light-dark(#0b57c4, #7db4ff); --ok: light-dark(#1a6b3c, #6fd39b); --bad: light-dark(#a3281f, #ff9d94); }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); } a:focus-visible, input:focus-visible, summary:focus-visible, pre:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 0.875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem; margin: 0; overflow: auto; max-height: 26rem; }
.frame { display: grid; grid-template-columns: 19rem minmax(0, 52rem); gap: 2.5rem; max-width: 100rem; margin: 0 auto; padding: 0 1.5rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.5rem 0; }
nav ul { list-style: none; margin: 0 0 0.75rem; padding: 0; }
nav a { display: block; padding: 0.25rem 0; text-decoration: none; } nav a:hover { text-decoration: underline; }
nav .dim { display: block; font-size: 0.85rem; line-height: 1.35; } .group { border-top: 1px solid var(--line); } .group summary { margin: 0; padding: 0.4rem 0; font-weight: 600; color: inherit; }
nav input { width: 100%; padding: 0.45rem 0.6rem; margin-bottom: 1rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--dim); border-radius: 6px; }
main { padding: 1.5rem 0 6rem; }
h1 { font-size: 1.9rem; margin: 0 0 0.5rem; } h2 { font-size: 1.4rem; margin: 3rem 0 0.5rem; }
h3 { font-size: 1.1rem; margin: 0; } h4 { font-size: 0.95rem; margin: 1.25rem 0 0.35rem; }
article { display: flow-root; border-top: 1px solid var(--line); padding: 1.5rem 0; }
.call { display: block; margin: 0.35rem 0 0.5rem; } .method { font-weight: 700; color: var(--ok); }
.dim { color: var(--dim); } .status { font-weight: 600; white-space: nowrap; } .bad { color: var(--bad); }
dl { margin: 0.35rem 0; font-size: 0.925rem; display: grid; grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); column-gap: 1.25rem; }
dt, dd { margin: 0; padding: 0.35rem 0; border-top: 1px solid var(--line); } summary { cursor: pointer; color: var(--link); }
.code { position: relative; margin: 0.5rem 0; } ${anySample} { display: none; } ${shownSamples} { display: block; }
.code button { position: absolute; top: -0.9rem; right: 0.5rem; min-height: 1.75rem; padding: 0 0.6rem; font: inherit; font-size: 0.8rem; color: var(--link); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
.languages { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; padding: 0.5rem 0; border: 0; border-bottom: 1px solid var(--line); background: var(--paper); }
nav summary { margin-bottom: 0.75rem; } .languages legend { float: left; padding: 0; color: var(--dim); } .languages input { margin: 0 0.35rem 0 0; accent-color: var(--link); }
.back { margin-bottom: 1rem; } .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
[hidden] { display: none !important; }
@media (min-width: 75rem) { .frame { grid-template-columns: 19rem minmax(0, 1fr); } section[id], section > :not(article) { max-width: 52rem; }
  .beside { float: right; clear: right; width: 50%; } article > :not(.beside, h3, .call) { margin-right: calc(50% + 1.5rem); }
  article dl { display: block; } article dd { border-top: 0; padding-top: 0; } }
@media (max-width: 56rem) { .frame { display: block; padding: 0 1rem; } nav { position: static; max-height: none; padding-bottom: 0; } main { padding-top: 0; }
  dl { display: block; } dd { border-top: 0; padding-top: 0; } .languages { font-size: 0.9rem; gap: 0 1rem; }
  .languages legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } }
`;
