// What scripts add to the pages: live verdicts, copy buttons, a stepper through
// interactions, dropped files, keys. Texts of programs are only ever text nodes,
// attributes of fixed names, or values of form fields.
'use strict';
(() => {
  const all = (selector, in_ = document) => [...in_.querySelectorAll(selector)];

  // Live verdicts. The table has the rows of the filter; others are ignored.
  const status = document.getElementById('status');
  // The rows of wide matrices are pictures, which the server draws.
  let renewed = 0, waiting = false;
  const renew = () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      renewed = performance.now();
      htmx.ajax('GET', location.pathname + location.search, {target: '#matrix', select: '#matrix', swap: 'outerHTML'});
    }, Math.max(0, renewed + 1000 - performance.now()));
  };
  // htmx sends two events for each element that it removes, which takes 50 ms for 500 rows.
  document.addEventListener('htmx:beforeSwap', event => {
    if (event.detail.target.id === 'matrix') event.detail.target.replaceChildren();
  });
  const fill = change => {
    const row = document.getElementById('r' + change.r);
    if (!row) return;
    if (change.c < 0) {
      row.cells[1].textContent = change.v;
      row.cells[1].className = 'final ' + (change.m || '');
      row.cells[1].title = change.n || '';
      row.cells[2].textContent = change.x || '';
      if (['CE', 'JE'].includes(change.v) || document.querySelector('#matrix > .answer')) renew(); // with the reason
      return;
    }
    if (row.cells[3] && row.cells[3].className === 'strip') {
      renew();
      return;
    }
    const cell = row.cells[change.c + 3];
    if (!cell) return;
    const edge = cell.classList.contains('edge');
    cell.className = change.k + (edge ? ' edge' : '');
    const link = document.createElement('a');
    link.href = location.pathname + '/' + change.r + '/' + change.c;
    link.title = change.t;
    link.textContent = change.v;
    cell.replaceChildren(link);
  };
  const follow = () => {
    const events = new EventSource(status.dataset.events);
    events.onmessage = message => {
      const data = JSON.parse(message.data);
      for (const change of data.news || []) fill(change);
      for (const name of ['ended', 'runs', 'bad']) status.querySelector('[data-count=' + name + ']').textContent = data[name];
      status.querySelector('progress').value = data.ended;
      status.querySelector('[data-bad]').className = data.bad ? 'bad' : 'good';
      if (!data.end) return;
      events.close();
      status.querySelector('progress').hidden = true;
      for (const stop of all('[data-stop]')) stop.hidden = true;
      document.documentElement.dataset.ended = 'true';
    };
    addEventListener('pagehide', () => events.close());
  };
  if (status && status.dataset.events) follow();

  // A place in the picture of a row is a case.
  const caseAt = event => {
    const svg = event.target.closest && event.target.closest('.strip svg');
    if (!svg) return null;
    const box = svg.getBoundingClientRect();
    const cases = svg.closest('table').dataset.cases.split(' ');
    const at = Math.min(Math.max(Math.floor((event.clientX - box.left) / box.width * cases.length), 0), cases.length - 1);
    return {svg, at, name: cases[at], row: svg.closest('tr').id.slice(1)};
  };
  addEventListener('mousemove', event => {
    const found = caseAt(event);
    if (found) found.svg.parentElement.title = found.name;
  });
  addEventListener('click', event => {
    const found = caseAt(event);
    if (found) location.assign(location.pathname + '/' + found.row + '/' + found.at);
  });

  // Copy buttons.
  const textOf = section => {
    const lines = all('li', section);
    return lines.length ? lines.map(line => line.textContent).join('\n') : section.querySelector('pre').textContent;
  };
  const copy = async (button, text) => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not permitted';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  };
  for (const button of all('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button, textOf(button.closest('section'))));
  }
  // The samples of a statement are tables with an input and an output.
  for (const table of all('.statement table.io:not(.interaction)')) {
    for (const head of all('th', table)) {
      const body = table.tBodies[0] && [...table.tBodies[0].rows].map(row => row.cells[head.cellIndex]).find(cell => cell && cell.querySelector('pre'));
      if (!body) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'plain';
      button.textContent = 'Copy';
      button.addEventListener('click', () => copy(button, body.textContent));
      head.append(' ', button);
    }
  }
  for (const one of all('.script-only')) one.hidden = false;

  // A stepper through an interaction.
  for (const dialogue of all('[data-steps]')) {
    const lines = all('li', dialogue).filter(line => line.className !== 'pass');
    let at = lines.length;
    const bar = document.createElement('div');
    bar.className = 'stepper';
    const place = document.createElement('span');
    place.setAttribute('role', 'status');
    const show = to => {
      at = Math.min(Math.max(to, 1), lines.length);
      lines.forEach((line, i) => line.classList.toggle('later', i >= at));
      place.textContent = 'line ' + at + ' of ' + lines.length;
    };
    for (const [text, to] of [['First', () => 1], ['Back', () => at - 1], ['Next', () => at + 1], ['All', () => lines.length]]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'plain';
      button.textContent = text;
      button.addEventListener('click', () => show(to()));
      bar.append(button);
    }
    bar.append(place);
    dialogue.prepend(bar);
    // Keys of the dialogue, also while one of its buttons has the focus.
    dialogue.addEventListener('keydown', event => {
      const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 1, End: lines.length}[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      show(to);
      lines[at - 1].scrollIntoView({block: 'nearest'});
    });
    show(lines.length);
  }

  // Files that are dropped anywhere on the page are judged.
  const drop = document.querySelector('form.drop');
  if (drop) {
    const files = drop.querySelector('input[type=file]');
    const has = event => event.dataTransfer && [...event.dataTransfer.types].includes('Files');
    addEventListener('dragover', event => { if (has(event)) { event.preventDefault(); document.body.classList.add('over'); } });
    addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('over'); });
    addEventListener('drop', event => {
      if (!has(event) || !event.dataTransfer.files.length) return;
      event.preventDefault();
      document.body.classList.remove('over');
      files.files = event.dataTransfer.files;
      drop.requestSubmit();
    });
  }

  // Keys of the editor. Tab indents; after Escape, Tab leaves the editor.
  const editor = document.getElementById('text');
  if (editor) {
    let leave = false;
    editor.addEventListener('keydown', event => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) editor.form.requestSubmit();
      if (event.key === 'Tab' && !event.shiftKey && !leave) {
        event.preventDefault();
        editor.setRangeText('\t', editor.selectionStart, editor.selectionEnd, 'end');
      }
      leave = event.key === 'Escape';
    });
  }

  // Arrow keys move between the cells of a matrix.
  document.addEventListener('keydown', event => {
    const move = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    const cell = move && event.target.closest && event.target.closest('.heat td');
    if (!cell) return;
    let row = cell.parentElement, column = cell.cellIndex, next = null;
    do {
      column += move[1];
      row = move[0] < 0 ? row.previousElementSibling : move[0] > 0 ? row.nextElementSibling : row;
      next = row && row.cells[column];
    } while (next && !next.querySelector('a'));
    if (next) { event.preventDefault(); next.querySelector('a').focus(); }
  });
})();
