// The data browser: shows the rows of the signed-in user's tables, and changes nothing.
const rowsOnAPage = 100;
const $ = (id) => document.getElementById(id);

const state = { tables: [], table: null, filter: '', order: 'updatedAt desc', deleted: false, links: [''], next: null, first: 1 };
let running = null;

// Signing in

function showSignIn(words, canGoBack) {
  running?.abort();
  $('browser').hidden = true;
  $('sign').hidden = true;
  $('who').textContent = '';
  $('rows').replaceChildren();
  $('sign-reason').replaceChildren(...words);
  $('sign-back').hidden = !canGoBack;
  $('sign-in').hidden = false;
  $('token').value = '';
  $('token').focus();
}

function showBrowser(user) {
  $('sign-in').hidden = true;
  $('browser').hidden = false;
  const isSignedIn = sessionStorage.getItem(tokenKey) !== null;
  $('who').replaceChildren(user ? shown(user, true) : '');
  $('sign').textContent = word(isSignedIn ? 'signOut' : 'signIn');
  $('sign').hidden = false;
}

$('sign').addEventListener('click', () => {
  const isSignedIn = sessionStorage.getItem(tokenKey) !== null;
  sessionStorage.removeItem(tokenKey);
  if (isSignedIn) { state.tables = []; start(); } else showSignIn([], true);
});
$('sign-back').addEventListener('click', () => start());
$('sign-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const token = $('token').value.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    $('sign-reason').textContent = word(token ? 'tokenShape' : 'tokenMissing');
    return;
  }
  sessionStorage.setItem(tokenKey, token);
  start();
});

// Whatever goes wrong with a request ends here.
function report(problem) {
  if (!(problem instanceof Problem)) throw problem;
  if (problem.isOfToken) {
    const showedToken = sessionStorage.getItem(tokenKey) !== null;
    sessionStorage.removeItem(tokenKey);
    showSignIn(showedToken ? [shown(sentence(problem), true), original(problem)] : [], false);
    return;
  }
  showBrowser('');
  if (problem.status === 400 && state.filter) return showFilterError(problem.detail);
  $('problem').replaceChildren(
    element('span', {}, shown(sentence(problem), true)), original(problem),
    element('button', { type: 'button', onclick: start }, word('tryAgain')));
  $('problem').hidden = false;
  $('caption').textContent = '';
}

// Runs one thing at a time; what was under way is given up.
async function run(work) {
  running?.abort();
  const mine = running = new AbortController();
  $('browser').setAttribute('aria-busy', 'true');
  try {
    await work(mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) report(error);
  } finally {
    if (running === mine) $('browser').removeAttribute('aria-busy');
  }
}

// Rows

const isTime = (name) => name === 'createdAt' || name === 'updatedAt';

// A text goes first: by it people know a row.
function columns(table) {
  const lead = table.columns.find((column) => column.type === 'text');
  const others = table.columns.filter((column) => column !== lead);
  return [...(lead ? [lead] : []), ...others, { name: 'updatedAt', type: 'time' }, { name: 'createdAt', type: 'time' }, { name: 'version', type: 'version' }, { name: 'id', type: 'id' }];
}

function row(item, shownColumns, index) {
  const line = element('tr', { role: 'row', className: item.deleted ? 'gone' : '' });
  shownColumns.forEach((column, place) => {
    const found = item[column.name];
    const cell = element('td', { role: 'cell', 'data-name': column.name, className: found === null && place > 0 ? 'null' : column.type });
    let content = value(found, column.type, longestCell);
    if (place === 0) {
      if (!content.textContent.trim()) content = element('span', { className: 'null' }, word('noText'));
      content = element('button', { type: 'button', tabIndex: index === 0 ? 0 : -1, 'aria-haspopup': 'dialog' }, content);
      if (item.deleted) content.prepend(element('span', { className: 'badge' }, word('deleted')));
    }
    cell.append(content);
    line.append(cell);
  });
  line.addEventListener('click', () => { if (!String(getSelection())) showDetail(item, line); });
  return line;
}

function showRows(items) {
  const shownColumns = columns(state.table);
  if (items.length === 0) return showNoRows();
  const head = element('tr', { role: 'row' });
  for (const { name } of shownColumns) head.append(element('th', { role: 'columnheader', scope: 'col' }, name));
  const body = element('tbody', { role: 'rowgroup' });
  items.forEach((item, index) => body.append(row(item, shownColumns, index)));
  $('rows').replaceChildren(element('table', { role: 'table' }, element('thead', { role: 'rowgroup' }, head), body));
  $('rows').scrollTop = 0;
}

function showNoRows() {
  const isFiltered = state.filter !== '';
  const key = isFiltered ? 'noMatch' : state.links.length > 1 ? 'noFurther' : 'noRows';
  const empty = element('div', { className: 'empty' }, element('p', {}, word(key)));
  if (isFiltered) empty.append(element('button', { type: 'button', onclick: () => { $('filter').value = ''; submit(); } }, word('showAll')));
  $('rows').replaceChildren(empty);
}

function showPager(count, total) {
  $('previous').disabled = state.links.length < 2;
  $('next').disabled = !state.next;
  $('next').parentElement.hidden = $('previous').disabled && $('next').disabled;
  if (count === undefined) return;
  const isAll = !state.next && state.links.length === 1;
  const key = isAll ? 'all' : typeof total === 'number' ? 'rangeOf' : 'range';
  $('caption').textContent = count === 0 ? '' : word(key, { count, first: state.first, last: state.first + count - 1, total });
}

function firstPage() {
  const query = new URLSearchParams({ $orderby: state.order });
  if (state.filter) query.set('$filter', state.filter);
  // With a filter the server would have to look at every row.
  else if (!state.deleted) query.set('$count', 'true');
  if (state.deleted) query.set('__includedeleted', 'true');
  return `?${query}`;
}

// `links` are the queries of the pages up to this one: each next one is the server's own.
async function showPage(signal) {
  if (!state.table) return;
  clearErrors();
  const link = state.links.at(-1) || firstPage();
  const page = await ask(`tables/${encodeURIComponent(state.table.name)}${link}`, signal);
  if (!Array.isArray(page.items)) throw new Problem(-1, '');
  // Only its query counts: where requests go no answer decides.
  state.next = page.nextLink ? '?' + String(page.nextLink).replace(/^[^?]*\?/, '') : null;
  state.first = (state.links.length - 1) * rowsOnAPage + 1;
  showRows(page.items);
  showPager(page.items.length, page.count);
}

$('next').addEventListener('click', () => { state.links.push(state.next); turn(); });
$('previous').addEventListener('click', () => { state.links.pop(); turn(); });
function turn() {
  run(async (signal) => { await showPage(signal); $('rows').focus({ preventScroll: true }); scrollTo(0, 0); });
}

// Arrow keys go from row to row; one of them is in the order of Tab.
$('rows').addEventListener('keydown', (event) => {
  const buttons = [...$('rows').querySelectorAll('td:first-child button')];
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -buttons.length, End: buttons.length, PageDown: 10, PageUp: -10 };
  const here = buttons.indexOf(document.activeElement);
  if (here < 0 || !(event.key in steps)) return;
  event.preventDefault();
  const there = Math.min(Math.max(here + steps[event.key], 0), buttons.length - 1);
  buttons[here].tabIndex = -1;
  buttons[there].tabIndex = 0;
  buttons[there].focus();
});

// One row

function showDetail(item, line) {
  const list = element('dl');
  for (const { name, type } of [...columns(state.table), { name: 'deleted', type: 'boolean' }]) {
    const found = item[name];
    const text = typeof found === 'string' && !isTime(name);
    const content = text && found ? longText(found) : text ? [element('span', { className: 'null' }, word('emptyText'))] : [value(found, type, longestText)];
    if (isTime(name) && typeof found === 'string') content.push(element('span', { className: 'dim' }, ` · ${utcText(found)}`));
    list.append(element('dt', {}, name), element('dd', {}, ...content));
  }
  const title = String(item[columns(state.table)[0].name] ?? '').trim() || String(item.id);
  $('detail-title').replaceChildren(shown(clipped(title, longestCell), true));
  $('detail-body').replaceChildren(list);
  $('detail').returnTo = line.querySelector('button');
  $('detail').showModal();
  $('detail-body').scrollTop = 0;
}

$('detail-close').addEventListener('click', () => $('detail').close());
$('detail').addEventListener('click', (event) => { if (event.target === $('detail')) $('detail').close(); });
$('detail').addEventListener('close', () => { $('detail-body').replaceChildren(); $('detail').returnTo?.focus(); });

// What is shown, and its address

function showTables() {
  $('tables').replaceChildren(...state.tables.map((table) => {
    const button = element('button', { type: 'button', title: table.name, onclick: () => choose(table) },
      element('span', {}, table.name), element('span', { title: word('notDeleted') }, numbers.format(table.count)));
    if (table === state.table) button.setAttribute('aria-current', 'true');
    return element('li', {}, button);
  }));
}

function choose(table) {
  Object.assign(state, { table, filter: '', links: [''] });
  remember();
  start();
}

function submit() {
  Object.assign(state, { filter: $('filter').value.trim(), order: $('order').value, deleted: $('deleted').checked, links: [''] });
  remember();
  start();
}
$('query').addEventListener('submit', (event) => { event.preventDefault(); submit(); });
$('order').addEventListener('change', submit);
$('deleted').addEventListener('change', submit);

// Behind the #, which goes to no server.
function remember() {
  const parts = new URLSearchParams({ table: state.table?.name ?? '' });
  if (state.filter) parts.set('filter', state.filter);
  if (state.order !== 'updatedAt desc') parts.set('order', state.order);
  if (state.deleted) parts.set('deleted', 'true');
  if (location.hash !== `#${parts}`) history.pushState(null, '', `#${parts}`);
}

function recall() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const order = parts.get('order');
  state.wanted = parts.get('table');
  state.filter = parts.get('filter') ?? '';
  state.order = [...$('order').options].some((option) => option.value === order) ? order : 'updatedAt desc';
  state.deleted = parts.get('deleted') === 'true';
  state.links = [''];
}
addEventListener('popstate', () => { recall(); state.table = null; start(); });

// Asks for the tables, and for the page that is to be seen.
function start() {
  return run(async (signal) => {
    clearErrors();
    const found = await ask('tables', signal);
    if (!Array.isArray(found.tables)) throw new Problem(-1, '');
    state.tables = found.tables;
    const wanted = state.table?.name ?? state.wanted;
    state.table = state.tables.find((table) => table.name === wanted) ?? state.tables[0] ?? null;
    showBrowser(found.user);
    showTables();
    $('filter').value = state.filter;
    $('order').value = state.order;
    $('deleted').checked = state.deleted;
    if (state.table) showHelp();
    await showPage(signal);
  });
}

recall();
start();
