import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { followPrinting } from '../theme.ts';
import { dateInWords } from '../words.ts';
import type { Series } from './series.ts';

/** The number of line colours. They differ clearly in both themes and for colour-blind visitors; further lines are dashed. */
const colourCount = 5;
const dashes: readonly number[][] = [[], [7, 4]];

/** The width of the chart on A4 and Letter paper, in pixels: a canvas does not follow the width of the page. */
const printedWidth = 640;

type ChartData = {
  /** Oldest first. */
  readonly dates: readonly string[];
  readonly series: readonly Series[];
  /** Whether values are percent of change instead of units. */
  readonly isChange: boolean;
};

/** The chart. The table below it has its figures for visitors who cannot see the chart. */
export function FxChart(props: ChartData & { readonly label: string }): JSX.Element {
  const { dates, series, isChange, label } = props;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const chartData = { dates, series, isChange };
    let isPrinting = false;
    const width = (): number => (isPrinting ? printedWidth : element.clientWidth);
    let chart = draw(element, chartData, width());
    const redraw = (): void => {
      chart.destroy();
      chart = draw(element, chartData, width());
    };
    const resizeObserver = new ResizeObserver(() => {
      chart.setSize({ width: width(), height: heightFor(width()) });
    });
    resizeObserver.observe(element);
    // The canvas does not follow the style sheet: draw again with the colours of the other theme.
    const themeObserver = new MutationObserver(redraw);
    themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const systemTheme = matchMedia('(prefers-color-scheme: dark)');
    systemTheme.addEventListener('change', redraw);
    const stopPrinting = followPrinting((begins) => {
      isPrinting = begins;
      redraw();
    });
    return () => {
      stopPrinting();
      resizeObserver.disconnect();
      themeObserver.disconnect();
      systemTheme.removeEventListener('change', redraw);
      chart.destroy();
    };
  }, [dates, series, isChange]);
  return <div class="chart" ref={container} role="img" aria-label={label} />;
}

/** The legend has the values of the last date while the pointer is not in the chart. */
function showLegend(chart: UPlot): void {
  const { legend } = chart;
  if (legend.idx === null || legend.idx === undefined) {
    chart.setLegend({ idx: chart.data[0].length - 1 }, false);
  }
  // uPlot writes into the text node that it made, which a translator of the browser replaces.
  for (const [at, cell] of chart.root.querySelectorAll('.u-value').entries()) {
    cell.textContent = String(legend.values?.[at]?.['_'] ?? '');
  }
}

function heightFor(width: number): number {
  return width < 700 ? 240 : 340;
}

function draw(element: HTMLElement, { dates, series, isChange }: ChartData, width: number): UPlot {
  const styles = getComputedStyle(element);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  const axis: UPlot.Axis = {
    stroke: colour('--quiet'),
    font: `12px ${styles.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const printValue = (value: number | null): string =>
    value === null ? '–' : isChange ? `${value.toFixed(2)} %` : String(value);
  const options: UPlot.Options = {
    width,
    height: heightFor(width),
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    axes: [
      axis,
      { ...axis, size: 62, values: (_, splits) => splits.map((v) => printTick(v, isChange)) },
    ],
    cursor: { drag: { x: false, y: false } },
    legend: { markers: { dash: (_, at) => (at > colourCount ? 'dashed' : 'solid') } },
    hooks: { ready: [showLegend], setLegend: [showLegend] },
    series: [
      { label: 'Date', value: (_, seconds) => printDate(seconds) },
      ...series.map(({ currency }, at) => ({
        label: currency,
        stroke: colour(`--line-${(at % colourCount) + 1}`),
        dash: [...(dashes[Math.floor(at / colourCount)] ?? [])],
        width: 2,
        points: { show: false },
        spanGaps: false,
        value: (_: UPlot, value: number | null) => printValue(value),
      })),
    ],
  };
  const seconds = dates.map((date) => Date.parse(date) / 1_000);
  return new UPlot(options, [seconds, ...series.map(({ values }) => [...values])], element);
}

function printTick(value: number, isChange: boolean): string {
  const text = String(Number(value.toPrecision(6)));
  return isChange ? `${text} %` : text;
}

function printDate(seconds: number | null): string {
  return seconds === null ? '–' : dateInWords(new Date(seconds * 1_000).toISOString().slice(0, 10));
}
