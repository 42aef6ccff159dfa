/**
 * The script of the reference page: the service's own address, buttons that copy, the remembered language, and the search.
 * Without scripts the whole page is visible, and the language can be chosen too.
 */
export const pageScript = `
const find = (selector, within = document) => [...within.querySelectorAll(selector)];
const setup = document.querySelector('[data-in="setup"] pre');
setup.textContent = setup.textContent.replace('http://127.0.0.1:8080', new URL('.', location).href.slice(0, -1));

// The list of contents would be in front of the first call on a phone.
const menu = document.querySelector('.menu');
menu.open = !matchMedia('(max-width: 56rem)').matches;
const openGroup = () => {
  const link = find('.group a').find((one) => one.hash === location.hash);
  if (link) link.closest('.group').open = true;
  return link;
};
addEventListener('hashchange', openGroup);
const nav = menu.parentElement;
nav.scrollTop = (openGroup()?.offsetTop ?? 0) - nav.clientHeight / 2;

const said = document.querySelector('.said');
for (const block of find('.code')) {
  const code = block.firstChild;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const of = block.closest('article, section').querySelector('h2, h3').textContent;
  button.setAttribute('aria-label', 'Copy: ' + of);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
      said.textContent = 'Copied';
    } catch {
      // The clipboard is forbidden to pages without HTTPS.
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
      said.textContent = 'Selected: press Ctrl+C to copy';
    }
    setTimeout(() => { button.textContent = 'Copy'; said.textContent = ''; }, 2500);
  });
  block.append(button);
}

const choices = find('input[name="language"]');
// Storage may be forbidden; the choice is then forgotten.
try {
  const chosen = choices.find(({ id }) => id === localStorage.getItem('vatfx-samples'));
  if (chosen) chosen.checked = true;
} catch {}
for (const choice of choices) {
  choice.addEventListener('change', () => {
    try { localStorage.setItem('vatfx-samples', choice.id); } catch {}
  });
}

const box = document.querySelector('input[type="search"]');
const parts = find('article, section[id]').map((part) => ({
  part, text: part.textContent.toLowerCase(), link: document.querySelector('nav a[href="#' + part.id + '"]')?.parentElement,
}));
box.parentElement.hidden = false;
box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  if (words.length > 0) menu.open = true;
  let found = 0;
  for (const { part, text, link } of parts) {
    const isShown = words.every((word) => text.includes(word));
    part.hidden = !isShown;
    if (link) link.hidden = !isShown;
    if (isShown) found += 1;
  }
  for (const group of find('main section:has(article), .group')) {
    group.hidden = group.querySelector('article:not([hidden]), li:not([hidden])') === null;
    if (words.length > 0) group.open = true;
  }
  document.querySelector('.found').textContent = words.length === 0 ? '' : found === 0 ? 'Nothing contains all these words.' : found + ' found';
});
`;
