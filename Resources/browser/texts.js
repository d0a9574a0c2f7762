// Texts of rows are hostile until proven otherwise: they reach the page as text nodes only, never as markup. Signs that
// nobody sees, or that turn the order of the others round, are shown by their number.
const longestCell = 200, longestText = 20000;

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

const localTime = new Intl.DateTimeFormat(locale, {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' });
const utcText = (text) => text.replace('T', ' ').replace('Z', ' UTC');

function time(text) {
  const moment = new Date(text);
  if (isNaN(moment)) return element('span', {}, shown(text, true));
  return element('time', { dateTime: text, title: utcText(text) }, localTime.format(moment));
}

function value(found, type, most) {
  if (found === null || found === undefined) return element('span', { className: 'null' }, 'null');
  if (typeof found === 'boolean') return element('span', { className: found ? 'yes' : 'no' }, String(found));
  if (typeof found === 'object') return element('span', {}, String(found.source));
  if (type === 'time') return time(String(found));
  const text = String(found), part = clipped(text, most);
  return element('span', { dir: 'auto' }, shown(part, true), part.length < text.length ? '…' : '');
}

function longText(text) {
  const box = element('div', { className: 'long', tabIndex: text.length > 400 ? 0 : -1 }, shown(clipped(text, longestText), false));
  if (text.length <= longestText) return [box];
  const all = element('button', { type: 'button', onclick: () => {
    // One node: a million signs with a number each would be a million nodes.
    box.replaceChildren(text.split(unseen).map((part, index) => index % 2 ? `⟨${number(part)}⟩` : part).join(''));
    all.remove();
  } }, word('wholeText', { count: text.length }));
  return [box, all];
}
