// The data browser: shows the rows of the signed-in user's tables, and changes nothing.
//
// Texts of rows are hostile until proven otherwise: they reach the page as text nodes only, never as markup. Signs that
// nobody sees, or that turn the order of the others round, are shown by their number.
'use strict';
(() => {
  const rowsOnAPage = 100, longestCell = 200, longestText = 20000, patience = 60000, tokenKey = 'ebb-token';
  const $ = (id) => document.getElementById(id);

  const state = { tables: [], table: null, filter: '', order: 'updatedAt desc', deleted: false, links: [''], next: null, first: 1 };
  let running = null;

  // Elements and texts

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made) made[key] = value; else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  const unseen = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff])/u;
  const number = (sign) => 'U+' + sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

  // At most `most` UTF-16 units, and no half of a pair at the end.
  function clipped(text, most) {
    if (text.length <= most) return text;
    const half = text.charCodeAt(most - 1);
    return text.slice(0, half >= 0xd800 && half < 0xdc00 ? most - 1 : most);
  }

  // The text as nodes; what nobody sees stands out as its number.
  function shown(text, inOneLine) {
    if (inOneLine) text = text.replace(/\s*[\n\t]\s*/g, ' ↵ ');
    const nodes = document.createDocumentFragment();
    text.split(unseen).forEach((part, index) => {
      if (part) nodes.append(index % 2 ? element('i', { className: 'sign' }, number(part)) : part);
    });
    return nodes;
  }

  const localTime = new Intl.DateTimeFormat(undefined, {
    year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const utcText = (text) => text.replace('T', ' ').replace('Z', ' UTC');

  function time(text) {
    const moment = new Date(text);
    if (isNaN(moment)) return element('span', {}, shown(text, true));
    return element('time', { dateTime: text, title: utcText(text) }, localTime.format(moment));
  }

  const plural = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

  // The server

  class Problem extends Error {
    constructor(status, detail, wait) {
      super(detail);
      Object.assign(this, { status, detail, wait });
    }
  }

  // A number that JavaScript can't hold stays the text that came.
  const exact = (key, value, context) =>
    typeof value === 'number' && context && context.source !== undefined && !/[.eE]/.test(context.source)
      && String(value) !== context.source ? { source: context.source } : value;

  async function ask(path, signal) {
    const headers = { 'ZUMO-API-VERSION': '3.0.0', 'x-ebb-columns': 'own', Accept: 'application/json' };
    const token = sessionStorage.getItem(tokenKey);
    if (token) headers.Authorization = `Bearer ${token}`;
    let answer, text;
    try {
      answer = await fetch(path, {
        headers, cache: 'no-store', credentials: 'omit', redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]) });
      text = await answer.text();
    } catch (error) {
      if (signal.aborted) throw error;
      throw new Problem(0, '');
    }
    if (answer.ok) {
      try { return JSON.parse(text, exact); } catch { throw new Problem(-1, ''); }
    }
    let detail = '';
    try { detail = String(JSON.parse(text).detail ?? ''); } catch { /* An answer of something between. */ }
    throw new Problem(answer.status, detail, answer.headers.get('Retry-After'));
  }

  // One sentence: what happened, and what to do.
  function sentence(problem) {
    const seconds = plural(Number(problem.wait) || 1, 'second', 'seconds');
    switch (problem.status) {
      case 0: return 'The server does not answer: check that it runs and that this device reaches it, then try again.';
      case -1: return 'Something between this page and the server answered in its place: check the network, then try again.';
      case 403: return `${problem.detail || 'The server refuses this.'} Sign out, and sign in with a token of scope read or sync.`;
      case 404: return 'This table is no longer there: choose another one.';
      case 429: return `Too many requests came from here: wait ${seconds}, then try again.`;
      case 503: return `${problem.detail || 'The server has too much to do.'} Wait ${seconds}, then try again.`;
      default: return `${problem.detail || `The server answered with status ${problem.status}.`} Try again, or ask whoever runs the server.`;
    }
  }

  // Signing in

  function showSignIn(reason, canGoBack) {
    running?.abort();
    $('browser').hidden = true;
    $('sign').hidden = true;
    $('who').textContent = '';
    $('rows').replaceChildren();
    $('sign-reason').textContent = reason;
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
    $('sign').textContent = isSignedIn ? 'Sign out' : 'Sign in';
    $('sign').hidden = false;
  }

  $('sign').addEventListener('click', () => {
    const isSignedIn = sessionStorage.getItem(tokenKey) !== null;
    sessionStorage.removeItem(tokenKey);
    if (isSignedIn) { state.tables = []; start(); } else showSignIn('', true);
  });
  $('sign-back').addEventListener('click', () => start());
  $('sign-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const token = $('token').value.trim();
    if (!/^[\x21-\x7e]+$/.test(token)) {
      $('sign-reason').textContent = token ? 'A token has no spaces and no special letters: copy it again.' : 'Paste the token, then sign in.';
      return;
    }
    sessionStorage.setItem(tokenKey, token);
    start();
  });

  // Whatever goes wrong with a request ends here.
  function report(problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.status === 401) {
      const showedToken = sessionStorage.getItem(tokenKey) !== null;
      sessionStorage.removeItem(tokenKey);
      showSignIn(showedToken ? `${problem.detail}` : '', false);
      return;
    }
    showBrowser('');
    if (problem.status === 400 && state.filter) return showFilterError(problem.detail);
    $('problem').replaceChildren(
      element('span', {}, shown(sentence(problem), true)),
      element('button', { type: 'button', onclick: start }, 'Try again'));
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

  // Filter

  // Where the mistake is, from and to: by the index that the server names, in bytes, else by the property. Of a word that
  // it did not expect the index is the end.
  function mistake(detail) {
    const index = /\(at index (\d+)\)/.exec(detail), property = /property '([^']+)'/.exec(detail);
    if (index) {
      const start = new TextDecoder().decode(new TextEncoder().encode(state.filter).slice(0, Number(index[1]))).length;
      const word = /: (?:there is no function )?'?([^' ]+)'? ?(?:was not|has another|\()/.exec(detail)?.[1] ?? '';
      const at = word ? state.filter.lastIndexOf(word, start) : -1;
      if (at >= 0 && state.filter.slice(at + word.length, start).trim() === '') return [at, at + word.length];
      const rest = state.filter.slice(start);
      return [start, start + (/^(\w+|.)/su.exec(rest)?.[0].length ?? 0)];
    }
    const found = property ? state.filter.search(new RegExp(`\\b${property[1].replace(/\W/g, '\\$&')}\\b`)) : -1;
    return found < 0 ? null : [found, found + property[1].length];
  }

  function showFilterError(detail) {
    const place = mistake(detail);
    const text = detail.replace(/^\$filter: /, '').replace(/ \(at index \d+\)/, '');
    const words = text.charAt(0).toUpperCase() + text.slice(1);
    $('filter-error').replaceChildren(element('span', {}, shown(`${words || 'The filter has a mistake.'} Correct the filter, or empty it to see all rows.`, true)));
    $('filter').setAttribute('aria-invalid', 'true');
    $('rows').replaceChildren();
    $('caption').textContent = '';
    state.next = null;
    showPager();
    if (!place) return;
    const [start, end] = place, around = 300;
    const marked = end > start ? state.filter.slice(start, end) : ' ';
    $('filter-error').append(element('pre', {}, shown(state.filter.slice(Math.max(0, start - around), start), true),
      element('mark', {}, shown(marked, true)), shown(state.filter.slice(end, end + around), true)));
    if (document.activeElement === $('filter') || document.activeElement === document.body) {
      $('filter').focus();
      $('filter').setSelectionRange(start, Math.max(end, start));
    }
  }

  function clearErrors() {
    $('problem').hidden = true;
    $('filter-error').replaceChildren();
    $('filter').removeAttribute('aria-invalid');
  }

  function examples(table) {
    const day = new Date(Date.now() - 86400000).toISOString().slice(0, 19) + 'Z';
    const forType = {
      text: (name) => [`contains(${name},'milk')`, `${name} has these letters`],
      boolean: (name) => [`${name} eq false`, `${name} is not set`],
      number: (name) => [`${name} gt 3`, `${name} is more than 3`],
    };
    const found = [];
    for (const type of Object.keys(forType)) {
      const column = table.columns.find((column) => column.type === type);
      if (column) found.push(forType[type](column.name));
    }
    return [...found, [`updatedAt gt ${day}`, 'changed since this time yesterday'],
      ['deleted eq true', 'deleted rows only (with “Deleted rows too”)'], ["id eq '1' or id eq '2'", 'one of two rows']];
  }

  function showHelp() {
    const list = element('ul');
    for (const [filter, words] of examples(state.table)) {
      const use = () => {
        $('filter').value = filter;
        if (filter.startsWith('deleted')) $('deleted').checked = true;
        submit();
      };
      list.append(element('li', {}, element('button', { type: 'button', className: 'link mono', onclick: use }, filter), element('span', { className: 'dim' }, words)));
    }
    const names = [...state.table.columns.map((column) => column.name), 'id', 'createdAt', 'updatedAt', 'version', 'deleted'];
    $('help-text').replaceChildren(
      element('p', {}, 'Compare with ', element('code', {}, 'eq ne gt ge lt le'), ', join with ', element('code', {}, 'and or not ( )'), '. Text stands in single quotes.'),
      list, element('p', { className: 'dim' }, 'Columns: ', element('code', {}, names.join(', '))));
  }

  // Rows

  const isTime = (name) => name === 'createdAt' || name === 'updatedAt';

  // A text goes first: by it people know a row.
  function columns(table) {
    const lead = table.columns.find((column) => column.type === 'text');
    const others = table.columns.filter((column) => column !== lead);
    return [...(lead ? [lead] : []), ...others, { name: 'updatedAt', type: 'time' }, { name: 'createdAt', type: 'time' }, { name: 'version', type: 'version' }, { name: 'id', type: 'id' }];
  }

  function value(found, type, most) {
    if (found === null || found === undefined) return element('span', { className: 'null' }, 'null');
    if (typeof found === 'boolean') return element('span', { className: found ? 'yes' : 'no' }, String(found));
    if (typeof found === 'object') return element('span', {}, String(found.source));
    if (type === 'time') return time(String(found));
    const text = String(found), part = clipped(text, most);
    return element('span', { dir: 'auto' }, shown(part, true), part.length < text.length ? '…' : '');
  }

  function row(item, shownColumns, index) {
    const line = element('tr', { role: 'row', className: item.deleted ? 'gone' : '' });
    shownColumns.forEach((column, place) => {
      const found = item[column.name];
      const cell = element('td', { role: 'cell', 'data-name': column.name, className: found === null && place > 0 ? 'null' : column.type });
      let content = value(found, column.type, longestCell);
      if (place === 0) {
        if (!content.textContent.trim()) content = element('span', { className: 'null' }, 'no text');
        content = element('button', { type: 'button', tabIndex: index === 0 ? 0 : -1, 'aria-haspopup': 'dialog' }, content);
        if (item.deleted) content.prepend(element('span', { className: 'badge' }, 'deleted'));
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
    const words = isFiltered ? 'No row matches the filter.' : state.links.length > 1 ? 'There are no further rows.' : 'This table has no rows yet.';
    const empty = element('div', { className: 'empty' }, element('p', {}, words));
    if (isFiltered) empty.append(element('button', { type: 'button', onclick: () => { $('filter').value = ''; submit(); } }, 'Show all rows'));
    $('rows').replaceChildren(empty);
  }

  function showPager(count, total) {
    $('previous').disabled = state.links.length < 2;
    $('next').disabled = !state.next;
    $('next').parentElement.hidden = $('previous').disabled && $('next').disabled;
    if (count === undefined) return;
    const range = `Rows ${state.first.toLocaleString()}–${(state.first + count - 1).toLocaleString()}`;
    const isAll = !state.next && state.links.length === 1;
    $('caption').textContent = count === 0 ? '' : isAll ? `All ${plural(count, 'row', 'rows')}`
      : typeof total === 'number' ? `${range} of ${total.toLocaleString()}` : range;
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

  function longText(text) {
    const box = element('div', { className: 'long', tabIndex: text.length > 400 ? 0 : -1 }, shown(clipped(text, longestText), false));
    if (text.length <= longestText) return [box];
    const all = element('button', { type: 'button', onclick: () => {
      // One node: a million signs with a number each would be a million nodes.
      box.replaceChildren(text.split(unseen).map((part, index) => index % 2 ? `⟨${number(part)}⟩` : part).join(''));
      all.remove();
    } }, `Show all ${text.length.toLocaleString()} characters`);
    return [box, all];
  }

  function showDetail(item, line) {
    const list = element('dl');
    for (const { name, type } of [...columns(state.table), { name: 'deleted', type: 'boolean' }]) {
      const found = item[name];
      const text = typeof found === 'string' && !isTime(name);
      const content = text && found ? longText(found) : text ? [element('span', { className: 'null' }, 'empty text')] : [value(found, type, longestText)];
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
        element('span', {}, table.name), element('span', { title: 'rows that are not deleted' }, table.count.toLocaleString()));
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
})();
