// Requests to the server that the page came from, and what a failed one says.
const patience = 60000, tokenKey = 'ebb-token';

class Problem extends Error {
  constructor(status, detail, headers = new Headers()) {
    super(detail);
    const namesToken = /\binvalid_token\b/.test(headers.get('WWW-Authenticate') ?? '');
    // After too many wrong tokens the server answers 429 to one more, which no wait makes right.
    const isOfToken = status === 401 || status === 429 && namesToken;
    Object.assign(this, { status, detail, isOfToken, wait: headers.get('Retry-After') });
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
  throw new Problem(answer.status, detail, answer.headers);
}

// The server's own reason where the page is in the server's language; else the page's words for it.
const reason = (problem, key) => language === 'en' && problem.detail || word(key, { status: String(problem.status) });

// One sentence: what happened, and what to do.
function sentence(problem) {
  const seconds = word('seconds', { count: Number(problem.wait) || 1 });
  switch (problem.status) {
    case 0: return word('silent');
    case -1: return word('between');
    case 401: return reason(problem, 'tokenUnknown');
    case 403: return word('refused', { reason: reason(problem, 'refusal') });
    case 404: return word('tableGone');
    case 429: return word(problem.isOfToken ? 'tooManyWrong' : 'tooMany', { seconds });
    case 503: return word('overloaded', { reason: reason(problem, 'overload'), seconds });
    default: return word('failed', { reason: reason(problem, 'failure') });
  }
}

// What the server says, for readers of a page in another language: it may be more exact.
function original(problem) {
  if (language === 'en' || !problem.detail) return '';
  return element('span', { className: 'dim', lang: 'en', dir: 'ltr' }, shown(problem.detail, true));
}
