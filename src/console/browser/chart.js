// @ts-check
/**
 * What charts can do besides with a script: the arrows lead from day to day, a finger reads them before it follows their
 * links, and the entries of the legend switch what they name. Charts are read by pointer and keyboard without it.
 */

const onPhone = '(pointer: coarse)';

/** The names of series that are switched off, by chart: a page that renews itself keeps them. @type {Map<string, Set<string>>} */
const switchedOff = new Map();

/** @param {Element} chart @returns {HTMLElement[]} */
function daysOf(chart) {
  return [...chart.querySelectorAll('.day')].filter(each => each instanceof HTMLElement);
}

/** One day of a chart is a stop of the keyboard, and the arrows lead to the others. @param {Element} chart */
function addArrows(chart) {
  const days = daysOf(chart);
  const last = days.findLastIndex(each => each.matches('a'));
  for (const [index, day] of days.entries()) day.tabIndex = index === Math.max(0, last) ? 0 : -1;
}

/** @param {KeyboardEvent} event */
function followArrow(event) {
  const day = event.target instanceof Element ? event.target.closest('.day') : null;
  const chart = day?.closest('.chart');
  if (!(day instanceof HTMLElement) || !chart) return;
  const days = daysOf(chart);
  const from = days.indexOf(day);
  const places = new Map([
    ['ArrowLeft', from - 1],
    ['ArrowRight', from + 1],
    ['Home', 0],
    ['End', days.length - 1],
  ]);
  const place = places.get(event.key);
  if (event.key === 'Escape') day.blur();
  if (place === undefined) return;
  event.preventDefault();
  const next = days[place];
  if (next === undefined) return;
  day.tabIndex = -1;
  next.tabIndex = 0;
  next.focus({ preventScroll: true });
}

/** A finger that moves over a chart reads the days below it. @param {PointerEvent} event */
function followFinger(event) {
  if (event.pointerType !== 'touch') return;
  const day = document.elementFromPoint(event.clientX, event.clientY)?.closest('.day') ?? null;
  const isTap = event.type === 'pointerdown';
  if (day === null && !isTap) return;
  for (const other of document.querySelectorAll('.day.on')) if (other !== day) other.classList.remove('on');
  if (day === null || day.classList.contains('on')) return;
  day.classList.add('on');
  day.setAttribute('data-first', '');
}

/** The first touch of a day reads it, and the next one follows its link. @param {MouseEvent} event */
function followDay(event) {
  const day = event.target instanceof Element ? event.target.closest('.day[data-first]') : null;
  if (day === null) return;
  day.removeAttribute('data-first');
  if (matchMedia(onPhone).matches) event.preventDefault();
}

/** Entries of a legend become switches. @param {Element} chart */
function addSwitches(chart) {
  const off = switchedOff.get(chart.id) ?? new Set();
  switchedOff.set(chart.id, off);
  for (const entry of chart.querySelectorAll('.key [data-key]')) {
    const name = entry.textContent ?? '';
    const button = document.createElement('button');
    const link = entry.querySelector('a');
    button.type = 'button';
    button.append(...[...entry.childNodes].filter(each => each !== link));
    if (link !== null) button.ariaLabel = `Show ${name}`;
    entry.prepend(button);
    const show = () => {
      button.ariaPressed = String(!off.has(name));
      showSeries(chart, entry.getAttribute('data-key') ?? '', !off.has(name));
    };
    button.addEventListener('click', () => {
      if (!off.delete(name)) off.add(name);
      show();
    });
    show();
  }
}

/** @param {Element} chart @param {string} series @param {boolean} isShown */
function showSeries(chart, series, isShown) {
  const parts = chart.querySelectorAll(`[data-series="${series}"], [data-row="${series}"]`);
  for (const part of parts) part.classList.toggle('off', !isShown);
  stackUp(chart);
}

/** What is left of each stack stands upon its ground again, with the hatching of what is not over. @param {Element} chart */
function stackUp(chart) {
  const ground = 10 * Number.parseFloat(chart.querySelector('.drawing .ax')?.getAttribute('y1') ?? '100');
  /** @type {Map<string, {above: number, below: number}>} */
  const ends = new Map();
  for (const part of chart.querySelectorAll('.bars rect')) {
    const x = part.getAttribute('x') ?? '';
    const y = Number(part.getAttribute('data-y') ?? part.getAttribute('y'));
    const height = Number(part.getAttribute('height'));
    const end = ends.get(x) ?? { above: ground, below: ground };
    ends.set(x, end);
    part.setAttribute('data-y', String(y));
    if (part.closest('.off') !== null) continue;
    const isBelow = y > ground - height / 2;
    part.setAttribute('y', String(isBelow ? end.below : end.above - height));
    if (isBelow) end.below += height;
    else end.above -= height;
  }
  for (const hatch of chart.querySelectorAll('.unfinished')) {
    const x = 10 * Number.parseFloat(hatch.getAttribute('x') ?? '');
    const above = [...ends].find(([place]) => Math.abs(Number(place) - x) < 0.2)?.[1].above ?? ground;
    hatch.setAttribute('y', `${above / 10}%`);
    hatch.setAttribute('height', `${(ground - above) / 10}%`);
  }
}

const enhanced = new WeakSet();

/** Charts of a page, also after it renewed itself. */
function addCharts() {
  for (const canvas of document.querySelectorAll('.chart .canvas')) {
    const chart = canvas.closest('.chart');
    if (chart === null || enhanced.has(canvas)) continue;
    enhanced.add(canvas);
    addArrows(chart);
    addSwitches(chart);
  }
}

addCharts();
new MutationObserver(addCharts).observe(document.getElementById('main') ?? document.body, {
  childList: true,
});
document.addEventListener('keydown', followArrow);
document.addEventListener('pointerdown', followFinger);
document.addEventListener('pointermove', followFinger);
document.addEventListener('click', followDay);
