// @ts-check
/**
 * Small additions to pages that are whole without them: the reader's own time beside UTC, filters that apply when they are
 * changed, and figures that renew themselves without the page losing its place.
 */

const renewMs = 15_000;
/** How long it is said that something was copied. */
const copiedMs = 3000;

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
 * The reader's own time: beside an instant that is shown in full, and as a hint at an age.
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

/** Filters apply as soon as one of their fields has another value; they then need no button. */
function followForms() {
  document.documentElement.classList.add('live');
  document.addEventListener('change', ({ target }) => {
    const isField = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
    if (isField && target.form?.matches('.filter[role="search"]')) target.form.requestSubmit();
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
  // A page that the way back leads to is as it was left: its fields then say again what its address does.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    for (const form of document.forms) {
      for (const field of form.elements)
        if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.disabled = false;
      form.reset();
    }
  });
}

/** A reader who writes, chooses or marks something is not disturbed. */
function isReaderBusy() {
  const active = document.activeElement;
  const isWriting = active instanceof HTMLInputElement || active instanceof HTMLSelectElement;
  const selection = document.getSelection();
  return isWriting || (selection !== null && !selection.isCollapsed);
}

/** Places that the keyboard leads to. */
const stops = 'a, summary, button, [tabindex]';

/** @param {Element} main @param {Element} next */
function replace(main, next) {
  const open = [...main.querySelectorAll('details')].map(each => each.open);
  const scrolled = [...main.querySelectorAll('.wide')].map(each => each.scrollLeft);
  const focused = [...main.querySelectorAll(stops)].indexOf(/** @type {Element} */ (document.activeElement));
  main.replaceChildren(...next.childNodes);
  for (const [index, each] of [...main.querySelectorAll('details')].entries())
    each.open = open[index] ?? each.open;
  for (const [index, each] of [...main.querySelectorAll('.wide')].entries())
    each.scrollLeft = scrolled[index] ?? 0;
  const again = focused < 0 ? undefined : [...main.querySelectorAll(stops)][focused];
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
    const wasWaiting = document.querySelector(waits) !== null;
    if (page.querySelector(waits) !== null && !wasWaiting) return;
    document.title = page.title;
    for (const id of ['main', 'nav', 'fresh']) {
      const [now, next] = [document.getElementById(id), page.getElementById(id)];
      if (now !== null && next !== null && !isReaderBusy()) replace(now, next);
    }
    if (wasWaiting) openKeptFolds();
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

/** A row leads where its first link that explains no word does, also in a new tab; what is marked or has a link of its own is left alone. */
function followRows() {
  document.addEventListener('click', event => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof Element)) return;
    if (target.closest('a, button, input, select, label, summary, .id, code') !== null) return;
    const link = target.closest('tbody tr, .rows > li, .probs > li')?.querySelector('a[href]:not(.term)');
    if (!(link instanceof HTMLAnchorElement) || document.getSelection()?.isCollapsed === false) return;
    if (event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener');
    else link.click();
  });
}

/** @typedef {{ kind: string, account: string | null, id: string, name: string | null, project_name: string | null, href: string }} Found */

const searchAfterMs = 120;

/** Search from any page: `/` or Ctrl-K opens it, and what fits is below it as the reader writes. */
function followSearch() {
  const field = document.querySelector('.find input');
  if (!(field instanceof HTMLInputElement)) return;
  const list = document.createElement('div');
  list.id = 'found';
  list.className = 'menu found';
  list.role = 'listbox';
  list.ariaLabel = 'What was found';
  list.hidden = true;
  field.after(list);
  field.role = 'combobox';
  field.ariaExpanded = 'false';
  field.ariaAutoComplete = 'list';
  field.setAttribute('aria-controls', list.id);
  let waiting = 0;
  let chosen = -1;

  const choose = (/** @type {number} */ next) => {
    const options = [...list.children];
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = options.length === 0 ? -1 : (next + options.length) % options.length;
    options[chosen]?.setAttribute('aria-selected', 'true');
    options[chosen]?.scrollIntoView({ block: 'nearest' });
    field.setAttribute('aria-activedescendant', options[chosen]?.id ?? '');
  };
  const show = (/** @type {readonly HTMLElement[]} */ options) => {
    list.replaceChildren(...options);
    list.hidden = options.length === 0;
    field.ariaExpanded = String(!list.hidden);
    choose(0);
  };
  const close = () => show([]);
  const search = async () => {
    const asked = field.value;
    if (asked.trim() === '') return close();
    const response = await fetch(`/api/v1/search?limit=6&q=${encodeURIComponent(asked)}`);
    if (!response.ok || field.value !== asked || document.activeElement !== field) return;
    /** @type {readonly Found[]} */
    const results = (await response.json()).results;
    show(results.length === 0 ? [drawNothing(field.dataset.nothing ?? '')] : results.map(drawFound));
  };

  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void search().catch(close), searchAfterMs);
  });
  field.addEventListener('blur', () => setTimeout(close, 200));
  field.addEventListener('keydown', event => {
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    const link = list.children[chosen];
    if (event.key in moves) choose(chosen + moves[/** @type {keyof typeof moves} */ (event.key)]);
    else if (event.key === 'Enter' && link instanceof HTMLAnchorElement) link.click();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', event => {
    const { key, target } = event;
    const isWriting = target instanceof Element && target.matches('input, select, textarea');
    const isMeant = (key === '/' && !isWriting) || (key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isMeant) return;
    event.preventDefault();
    if (field.checkVisibility()) field.select();
    else location.assign('/search');
  });
}

/**
 * Said where nothing was found: an empty place would look broken.
 *
 * @param {string} sentence
 */
function drawNothing(sentence) {
  const row = document.createElement('span');
  row.id = 'found-nothing';
  row.role = 'option';
  row.ariaDisabled = 'true';
  row.className = 's';
  row.textContent = sentence;
  return row;
}

/**
 * One result; its name is text, whatever is in it.
 *
 * @param {Found} found @param {number} index
 */
function drawFound({ kind, account, id, name, project_name, href }, index) {
  const link = document.createElement('a');
  link.id = `found-${index}`;
  link.role = 'option';
  link.href = href;
  link.tabIndex = -1;
  const title = document.createElement('b');
  title.textContent = name ?? id;
  const more = document.createElement('span');
  more.className = 's';
  more.textContent = [kind, name === null ? null : id, project_name === name ? null : project_name, account]
    .filter(each => each !== null && each !== '')
    .join(' · ');
  link.append(title, more);
  return link;
}

/** On a phone the pages of the bar are scrolled to the one that is shown. */
function showCurrentPage() {
  const nav = document.getElementById('nav');
  const current = nav?.querySelector('[aria-current]');
  if (nav === null || !(current instanceof HTMLElement)) return;
  nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}

/** The button beside YAML and commands copies them, also where a page without TLS may not write to the clipboard. */
function followCopies() {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.code > button') : null;
    const [box, said] = [button?.previousElementSibling, button?.nextElementSibling];
    const selection = document.getSelection();
    if (!button || !box || !said || selection === null) return;
    selection.selectAllChildren(box);
    const isCopied = document.execCommand('copy');
    if (isCopied) selection.removeAllRanges();
    for (const each of [button, said]) each.textContent = isCopied ? 'Copied' : 'Selected: copy it by Ctrl-C';
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, copiedMs);
  });
}

const fold = 'main details:not(.pick)';

/**
 * What a fold is known by: its words, and which of those with the same ones it is.
 *
 * @param {HTMLDetailsElement} each
 */
function keyOfFold(each) {
  const nameOf = (/** @type {Element} */ one) => one.querySelector('summary')?.textContent ?? '';
  const alike = [...document.querySelectorAll(fold)].filter(other => nameOf(other) === nameOf(each));
  return `${nameOf(each)} ${alike.indexOf(each)}`;
}

/** @returns {Record<string, boolean>} */
const keptFolds = () => history.state?.folds ?? {};

/** Folds are as the reader left them where the browser makes the page anew, as after a reload and on the way back. */
function openKeptFolds() {
  const folds = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(fold));
  for (const each of folds) each.open = keptFolds()[keyOfFold(each)] ?? each.open;
}

function followFolds() {
  const keep = (/** @type {Event} */ { target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.matches(fold)) return;
    const key = keyOfFold(target);
    if (keptFolds()[key] !== target.open)
      history.replaceState({ folds: { ...keptFolds(), [key]: target.open } }, '');
  };
  openKeptFolds();
  document.addEventListener('toggle', keep, true);
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
followRows();
followTaste();
followCopies();
followMenus();
followFolds();
followSearch();
showCurrentPage();
renewLater();
document.addEventListener('visibilitychange', () => void renew());
