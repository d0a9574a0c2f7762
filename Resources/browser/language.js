// The language of the page: the first that the reader asks the browser for and that the page has, else English. Chosen
// here and not by the server, so that one document is right for everybody and for every cache.

// The English words that stand in the document.
for (const found of document.querySelectorAll('[data-word]')) words.en[found.dataset.word] = found.textContent;
for (const found of document.querySelectorAll('[data-label]')) words.en[found.dataset.label] = found.ariaLabel;
for (const found of document.querySelectorAll('[data-hint]')) words.en[found.dataset.hint] = found.placeholder;

// As in the terminal: who reads simplified Chinese may not know the traditional signs.
function spoken(tag) {
  const [language, ...rest] = tag.toLowerCase().split('-');
  const isTraditional = !rest.includes('hans') && ['hant', 'tw', 'hk', 'mo'].some((part) => rest.includes(part));
  if (language === 'zh') return isTraditional ? 'zh-Hant' : null;
  return Object.hasOwn(words, language) ? language : null;
}

// The tag says how numbers and days are written, so it is kept with its region. One that `Intl` refuses is passed over.
const [language, locale] = (() => {
  for (const tag of navigator.languages) {
    const found = spoken(tag);
    if (!found) continue;
    try { return [found, Intl.getCanonicalLocales(tag)[0]]; } catch { return [found, found]; }
  }
  return ['en', 'en'];
})();

const numbers = new Intl.NumberFormat(locale), forms = new Intl.PluralRules(locale);

// The words with their values; numbers are written as the language has them.
function word(key, values = {}) {
  const found = words[language][key] ?? words.en[key];
  const text = Array.isArray(found) ? found[forms.select(values.count) === 'one' ? 0 : 1] : found;
  return text.replace(/\{(\w+)\}/g, (_, name) => typeof values[name] === 'number' ? numbers.format(values[name]) : values[name]);
}

// The words as nodes: what is typed as it is stands out.
function typed(text) {
  return text.split('`').map((part, index) => {
    if (index % 2 === 0) return part;
    const code = document.createElement('code');
    code.append(part);
    return code;
  });
}

if (language !== 'en') {
  document.documentElement.lang = language;
  for (const found of document.querySelectorAll('[data-word]')) found.replaceChildren(...typed(word(found.dataset.word)));
  for (const found of document.querySelectorAll('[data-label]')) found.ariaLabel = word(found.dataset.label);
  for (const found of document.querySelectorAll('[data-hint]')) found.placeholder = word(found.dataset.hint);
}
