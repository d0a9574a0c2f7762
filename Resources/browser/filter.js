// The filter: where a mistake in it is, and how one is written.

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
  const problem = { detail: text.charAt(0).toUpperCase() + text.slice(1) };
  const advice = word('mistaken', { reason: reason(problem, 'mistake') });
  $('filter-error').replaceChildren(element('p', {}, shown(advice, true)), original(problem));
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
    text: (name) => [`contains(${name},'milk')`, word('hasLetters', { name })],
    boolean: (name) => [`${name} eq false`, word('isNotSet', { name })],
    number: (name) => [`${name} gt 3`, word('isMore', { name })],
  };
  const found = [];
  for (const type of Object.keys(forType)) {
    const column = table.columns.find((column) => column.type === type);
    if (column) found.push(forType[type](column.name));
  }
  return [...found, [`updatedAt gt ${day}`, word('sinceYesterday')],
    ['deleted eq true', word('deletedOnly', { box: word('deletedToo') })], ["id eq '1' or id eq '2'", word('oneOfTwo')]];
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
    element('p', {}, ...typed(word('filterRules'))), list,
    element('p', { className: 'dim' }, ...typed(word('columns', { names: names.join(', ') }))));
}
