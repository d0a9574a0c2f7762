// Writes the command with the link, which only the browser has. Nothing is sent.
const path = location.pathname.replace(/\/+$/, '');
// A text that is copied into a shell: nothing in it may mean anything there.
const isPlain = /^[\w.~%\/-]+$/.test(path) && /^[\w.:\/\[\]-]+$/.test(location.origin);
const isWhole = /^#ebbjoin_[\w-]{43}$/.test(location.hash) && isPlain;
document.getElementById('what').textContent = word(isWhole ? 'run' : 'brokenLink');
if (isWhole) document.getElementById('command').textContent = `ebb join '${location.origin}${path}${location.hash}'`;
