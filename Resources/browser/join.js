"use strict";
// Writes the command with the link, which only the browser has. Nothing is sent.
{
  const what = document.getElementById("what");
  const path = location.pathname.replace(/\/+$/, "");
  // A text that is copied into a shell: nothing in it may mean anything there.
  const isPlain = /^[\w.~%\/-]+$/.test(path) && /^[\w.:\/\[\]-]+$/.test(location.origin);
  if (/^#ebbjoin_[\w-]{43}$/.test(location.hash) && isPlain) {
    what.textContent = "Open a terminal on the device that should sync with it, and run:";
    document.getElementById("command").textContent = `ebb join '${location.origin}${path}${location.hash}'`;
  } else {
    what.textContent = "This link is not whole. Copy it again to the end, put it in the place of LINK, and run in a terminal:";
  }
}
