// @ts-check
/**
 * Small additions to pages that are whole without them: the reader's own time beside UTC, filters that apply when they are
 * changed, and figures that renew themselves without the page losing its place.
 */

const renewMs = 15_000;

/** @param {Date} at */
function hasOtherClock(at) {
  return at.getTimezoneOffset() !== 0;
}

/**
 * The time where the reader is, with its day where that is another one.
 *
 * @param {Date} at
 */
function sayLocal(at) {
  const utcAt = new Date(at.getTime() + at.getTimezoneOffset() * 60_000);
  const isSameDay = utcAt.toDateString() === at.toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const day = isSameDay ? {} : { year: 'numeric', month: 'short', day: 'numeric' };
  return at.toLocaleString(undefined, {
    ...day,
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  });
}

/**
 * The reader's own time beside those that are shown in full, and to those who point at it where an age is shown.
 *
 * @param {ParentNode} root
 */
function addLocalTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]:not([data-local])')) {
    const at = new Date(time.getAttribute('datetime') ?? '');
    time.setAttribute('data-local', '');
    if (!hasOtherClock(at)) continue;
    if (time.textContent?.endsWith('UTC') !== true) {
      const title = time.getAttribute('title');
      time.setAttribute('title', `${title === null ? '' : `${title}\n`}${sayLocal(at)}`);
      continue;
    }
    const local = document.createElement('small');
    local.className = 'local';
    local.textContent = ` ${time.closest('td') === null ? `(${sayLocal(at)})` : sayLocal(at)}`;
    time.append(local);
  }
  addZone();
}

/** The reader's zone at the foot of the page, by which every time on it can be told. */
function addZone() {
  const fresh = document.getElementById('fresh');
  const now = new Date();
  if (fresh === null || fresh.querySelector('.zone') !== null || !hasOtherClock(now)) return;
  const minutes = Math.abs(now.getTimezoneOffset());
  const rest = minutes % 60 === 0 ? '' : ` ${minutes % 60} min`;
  const zone = document.createElement('p');
  zone.className = 'zone';
  zone.textContent =
    `Times are in UTC. Where you are it is ${Math.floor(minutes / 60)} h${rest} ` +
    `${now.getTimezoneOffset() < 0 ? 'later' : 'earlier'} (${Intl.DateTimeFormat().resolvedOptions().timeZone}).`;
  fresh.append(zone);
}

/** Forms that only look for something are sent as soon as one of their fields has another value. */
function followForms() {
  document.addEventListener('change', event => {
    const { target } = event;
    if (target instanceof HTMLSelectElement && target.form?.method === 'get') target.form.requestSubmit();
  });
  document.addEventListener('submit', event => {
    const { target } = event;
    if (!(target instanceof HTMLFormElement) || target.method !== 'get') return;
    // Empty fields say nothing: addresses stay short.
    for (const field of target.elements) {
      const isEmpty =
        (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.value === '';
      if (isEmpty) field.disabled = true;
    }
  });
  // A page that the way back leads to is as it was left.
  addEventListener('pageshow', () => {
    for (const field of document.querySelectorAll('form[method="get"] :disabled'))
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.disabled = false;
  });
}

/** A reader who writes, chooses or marks something is not disturbed. */
function isReaderBusy() {
  const active = document.activeElement;
  const isWriting = active instanceof HTMLInputElement || active instanceof HTMLSelectElement;
  const selection = document.getSelection();
  return isWriting || (selection !== null && !selection.isCollapsed);
}

/** @param {Element} main @param {Element} next */
function replace(main, next) {
  const open = [...main.querySelectorAll('details')].map(each => each.open);
  const scrolled = [...main.querySelectorAll('.wide')].map(each => each.scrollLeft);
  const focused = [...main.querySelectorAll('a, summary, [tabindex]')].indexOf(
    /** @type {Element} */ (document.activeElement),
  );
  main.replaceChildren(...next.childNodes);
  for (const [index, each] of [...main.querySelectorAll('details')].entries())
    each.open = open[index] ?? each.open;
  for (const [index, each] of [...main.querySelectorAll('.wide')].entries())
    each.scrollLeft = scrolled[index] ?? 0;
  const again = focused < 0 ? undefined : [...main.querySelectorAll('a, summary, [tabindex]')][focused];
  if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
}

const waits = 'main .wait';

async function renew() {
  if (document.hidden || isReaderBusy()) return;
  const fresh = document.getElementById('fresh');
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    // The daemon itself answers by a page without figures when no other can be made; older ones are better than none.
    const isMade = page.getElementById('main') !== null && response.status !== 503;
    if (!isMade) throw new Error(String(response.status));
    if (page.querySelector(waits) !== null && document.querySelector(waits) === null) return;
    document.title = page.title;
    for (const id of ['main', 'nav', 'fresh']) {
      const [now, next] = [document.getElementById(id), page.getElementById(id)];
      if (now !== null && next !== null && !isReaderBusy()) replace(now, next);
    }
    addLocalTimes(document);
    fresh?.classList.remove('late');
  } catch {
    fresh?.classList.add('late');
  }
}

/** A page with parts that are still being worked out says how soon they may be there. */
function renewLater() {
  const soon = document.querySelector('#fresh [data-renew-after]')?.getAttribute('data-renew-after');
  const afterMs = typeof soon === 'string' ? Number(soon) * 1000 : renewMs;
  setTimeout(() => void renew().finally(renewLater), afterMs);
}

/** The menu of theme and density, which the browser keeps. */
function followTaste() {
  const { dataset } = document.documentElement;
  const menu = document.querySelector('.taste');
  if (!(menu instanceof HTMLElement)) return;
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = menu.querySelectorAll('[data-taste]');
  const mark = () => {
    for (const button of buttons)
      button.ariaPressed = String((dataset[button.dataset.taste ?? ''] ?? '') === button.value);
  };
  menu.hidden = false;
  mark();
  menu.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const name = target.dataset.taste ?? '';
    if (target.value === '') delete dataset[name];
    else dataset[name] = target.value;
    mark();
    try {
      if (target.value === '') localStorage.removeItem(name);
      else localStorage.setItem(name, target.value);
    } catch {
      // It then holds for this page alone.
    }
  });
}

/** Menus close when the reader turns to something else. */
function followMenus() {
  /** @type {(kept: unknown) => void} */
  const closeOthers = kept => {
    for (const menu of document.querySelectorAll('details.pick[open]'))
      if (!(kept instanceof Node && menu.contains(kept))) menu.removeAttribute('open');
  };
  document.addEventListener('click', ({ target }) => closeOthers(target));
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') closeOthers(null);
  });
}

addLocalTimes(document);
followForms();
followTaste();
followMenus();
renewLater();
document.addEventListener('visibilitychange', () => void renew());
