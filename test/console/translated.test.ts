import type { Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { patienceMs } from '../support/eventually.ts';
import { countOf, reportFigure, seedOf, someOf } from '../support/proof.ts';
import { createRandom } from '../support/random.ts';
import { shareService, type TestService } from '../support/start-service.ts';
import { postBatch, sendToChecks } from '../vat-check/support/stored-checks-api.ts';
import { parts, readRoute } from '../../web/src/route.ts';
import { isWithoutBrowser, it, livedDays, openOn } from './support/browser.ts';
import { translator } from './support/translator.ts';

/** Where walks begin: each view, with and without choices. */
const beginnings = [
  '#/rates',
  '#/rates?date=2026-11-18&with=2026-11-20',
  '#/country?country=HU',
  '#/goods?country=ES&words=book',
  '#/changes',
  '#/fx',
  '#/law?for=vat&period=2026-11-18&country=PL&bank=nbp',
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

/**
 * Waits until a translated page shows what the other one shows. Both are read each time, because answers for the
 * other page may arrive later.
 */
async function expectSame(plain: Page, translated: Page, steps: readonly string[]): Promise<void> {
  let before = '';
  let shown: string[] = [];
  const isSettled = async (): Promise<boolean> => {
    shown = await Promise.all([readShown(plain), readShown(translated)]);
    const [own = '', other] = shown;
    const isSame = own === before && own === other && !own.includes('Loading');
    before = own;
    return isSame;
  };
  const hasSettled = await vi
    .waitUntil(isSettled, { interval: 100, timeout: patienceMs })
    .catch(() => false);
  const [own, other] = shown;
  expect({ steps, hasSettled, shown: other }).toEqual({ steps, hasSettled: true, shown: own });
}

/** Random walks from each view: 204 in a full run. A commit makes one from some of them. */
const walks = countOf({ full: 17, perCommit: 1 });
const choices = 8;
const seed = seedOf(1);
/** A walk takes ten seconds, on a busy machine a minute. */
const timeout = (1 + walks) * 120_000;

describe.skipIf(isWithoutBrowser)('the console in a translated page (R46)', () => {
  const config = {
    trustedProxies: ['127.0.0.1'],
    fxBanks: ['nbp', 'cnb'],
    rateLimitPerMinute: 'none',
  } as const;
  const service = shareService({ ...livedDays, config });

  it('is tried from each view', () => {
    const tried = new Set(beginnings.map((at) => readRoute(at).view));

    expect([...tried].toSorted()).toEqual(Object.values(parts).flat().toSorted());
  });

  it.each(someOf(beginnings, 4))(
    'shows what belongs to each choice, from %s',
    { timeout },
    async (at) => {
      await fillLists(service());
      for (let walk = 0; walk < walks; walk += 1) {
        const random = createRandom(seed + walk);
        const plain = await openOn(service(), { at });
        const translated = await openOn(service(), { at, script: translator });
        const steps: string[] = [];
        for (let step = 0; step < choices; step += 1) {
          await expectSame(plain, translated, steps);
          const [first, second] = [random(), random()];
          for (const page of [plain, translated]) await pointAtChart(page, second);
          await expectSame(plain, translated, steps);
          for (const page of [plain, translated]) await page.mouse.move(0, 0);
          steps.push(await act(plain, first, second));
          await act(translated, first, second);
        }
        await expectSame(plain, translated, steps);
        for (const page of [plain, translated]) await page.context().close();
      }

      const tried = `${walks * choices} choices in ${walks} walks from ${at} (seed ${seed})`;
      reportFigure('R46', `${tried}: 0 values of another choice`);
    },
  );
});

/** Gives the lists of checks and watches something to show. */
async function fillLists(of: TestService): Promise<void> {
  if ((await sendToChecks(of, 'GET')).text.includes('"id"')) return;
  const numbers = ['U99999901', 'U99999902', '?'];
  const named = { countryCode: 'AT', reference: 'order' };
  await postBatch(of, { checks: numbers.map((vatNumber) => ({ ...named, vatNumber })) });
  await of.sendRequest({
    method: 'PUT',
    path: '/vatwatches/AT/U99999901',
    headers: { authorization: `Bearer ${of.key}` },
    body: '{}',
  });
  of.passTime(1_000);
  await of.attemptDueChecks();
}
