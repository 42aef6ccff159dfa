import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { patienceMs } from '../support/eventually.ts';
import { countOf, seedOf } from '../support/proof.ts';
import { createRandom } from '../support/random.ts';
import { isWithoutBrowser, it, open } from './support/browser.ts';
import { translator } from './support/translator.ts';

/** Where walks begin: each view, with and without choices. */
const beginnings = [
  '#/rates',
  '#/rates?date=2026-11-18&with=2026-11-20',
  '#/country?country=HU',
  '#/goods?country=ES&words=book',
  '#/changes',
  '#/fx',
  '#/law',
  '#/banks',
  '#/check',
  '#/checks',
  '#/watches',
  '#/status',
];

/** What a visitor may choose without a change to what is stored, printed or copied. */
const choose = `
  const isVisible = (one) => one.checkVisibility() && !one.disabled;
  const changes = /print|copy|download|csv|delete|remove|sign|forget|watch|check this|check the|check again|save|send/i;
  const controls = [
    ...document.querySelectorAll('nav a, main a[href^="#"], main select, main input, main button, main summary'),
  ].filter((one) => isVisible(one) && (one.matches('a, select, summary') || !changes.test(one.innerText || one.value)));
  const choice = controls[Math.floor(first * controls.length)];
  const fire = (name) => choice.dispatchEvent(new Event(name, { bubbles: true }));
  if (choice === undefined) return '';
  if (choice.matches('select')) {
    choice.selectedIndex = Math.floor(second * choice.options.length);
    fire('input');
    fire('change');
  } else if (choice.matches('input[type=date]')) {
    choice.value = ['2026-11-18', '2026-11-19', '2026-11-20'][Math.floor(second * 3)];
    fire('input');
    fire('change');
  } else choice.click();
  return choice.outerHTML.slice(0, 200);
`;

async function act(page: Page, first: number, second: number): Promise<string> {
  return page.evaluate<string>(
    `(() => { const [first, second] = [${first}, ${second}]; ${choose} })()`,
  );
}

/** Points at a place of the chart, whose legend then has the values of that date. */
async function pointAtChart(page: Page, part: number): Promise<void> {
  const place = await page.evaluate<{ x: number; y: number } | null>(`(() => {
    const chart = document.querySelector('.u-over');
    chart?.scrollIntoView({ block: 'center' });
    const box = chart?.getBoundingClientRect();
    return box === undefined ? null : { x: box.left + ${part} * box.width, y: box.top + 20 };
  })()`);
  if (place !== null) await page.mouse.move(place.x, place.y);
}

async function readShown(page: Page): Promise<string> {
  return page.evaluate<string>('document.title + "\\n" + document.body.innerText');
}

/** What a page shows when it no longer changes. */
async function readSettled(page: Page): Promise<string> {
  let before = '';
  await expect
    .poll(
      async () => {
        const shown = await readShown(page);
        const isSettled = shown === before && !shown.includes('Loading');
        before = shown;
        return isSettled;
      },
      { interval: 100, timeout: patienceMs },
    )
    .toBe(true);
  return before;
}

/** Waits until a translated page shows what the other one shows. */
async function expectSame(plain: Page, translated: Page, steps: readonly string[]): Promise<void> {
  const shown = await readSettled(plain);
  await expect
    .poll(async () => readShown(translated), { timeout: patienceMs, message: steps.join('\n') })
    .toBe(shown);
}

describe.skipIf(isWithoutBrowser)('the console in a translated page (R46)', () => {
  it.each(beginnings)('shows what belongs to each choice, from %s', async (at) => {
    const walks = countOf({ full: 17, perCommit: 1 });
    for (let walk = 0; walk < walks; walk++) {
      const random = createRandom(seedOf(1 + walk));
      const plain = await open({ at });
      const translated = await open({ at, script: translator });
      const steps: string[] = [];
      for (let step = 0; step < 8; step++) {
        await expectSame(plain, translated, steps);
        const [first, second] = [random(), random()];
        for (const page of [plain, translated]) await pointAtChart(page, second);
        await expectSame(plain, translated, steps);
        for (const page of [plain, translated]) await page.mouse.move(0, 0);
        steps.push(await act(plain, first, second));
        await act(translated, first, second);
      }
      await expectSame(plain, translated, steps);
    }
  });
});
