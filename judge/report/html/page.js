// Draws the pictures of a report, and shows the values of marks and cells to users of
// a pointer, of keys and of a screen reader. Texts of packages and submissions become
// text nodes and values of marks, never markup.
(() => {
  'use strict';
  const holder = document.getElementById('data');
  if (!holder) return;
  const { pictures, heats, looks } = JSON.parse(holder.textContent);
  document.documentElement.classList.add('drawn');

  // rows returns a list of records from the columns of a frame.
  function rows(frame) {
    const list = Array.from({ length: frame.n }, () => ({}));
    for (const [field, column] of Object.entries(frame.columns)) {
      const values = column && column.of ? column.at.map(i => (i < 0 ? null : column.of[i])) : column ?? [];
      list.forEach((row, i) => { row[field] = values[i]; });
    }
    for (const row of list) {
      if ('k' in row) {
        const look = looks[row.k];
        row.color = `var(--${look.color})`;
        row.shape = look.shape;
        row.dash = look.dash ?? [];
      }
    }
    return list;
  }

  const digits = (v, n = 3) => Number(v.toPrecision(n)).toString();
  const write = {
    text: v => v,
    number: v => Number(v).toLocaleString('en', { maximumSignificantDigits: 5 }),
    ratio: v => digits(v, v > 0.8 && v < 1.25 ? 4 : 3) + ' ×',
    time: v => v < 0.9995e-3 ? digits(v * 1e6) + ' µs' : v < 0.9995 ? digits(v * 1e3) + ' ms' : digits(v) + ' s',
    count: v => { // as units.Number formats it
      let unit = 0;
      for (; v >= 999.5 && unit < 4; unit++) v /= 1000;
      return (digits(v) + ' ' + ['', 'k', 'M', 'G', 'T'][unit]).trim();
    },
    size: v => { // as units.Memory formats it
      v /= 1 << 20;
      if (v < 1) return v > 0 ? '<1 MiB' : '0 B';
      let unit = 0;
      for (; v >= 999.5 && unit < 2; unit++) v /= 1024;
      return (unit === 0 && v < 9.995 ? v.toFixed(1) : digits(v)) + ' ' + ['MiB', 'GiB', 'TiB'][unit];
    },
  };

  const tip = document.getElementById('tip');
  // tell shows lines of name and value near a point of the window.
  function tell(lines, x, y) {
    tip.replaceChildren();
    lines.forEach(([name, value]) => {
      const line = document.createElement(name ? 'div' : 'b');
      if (name) {
        const label = document.createElement('span');
        label.textContent = name + ' ';
        line.append(label);
      }
      line.append(value);
      tip.append(line);
    });
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.max(8, Math.min(x + 14, document.documentElement.clientWidth - box.width - 8));
    const above = y - box.height - 12;
    tip.style.left = left + scrollX + 'px';
    tip.style.top = (above < 8 ? y + 18 : above) + scrollY + 'px';
  }
  const hush = () => { tip.hidden = true; };
  addEventListener('keydown', e => { if (e.key === 'Escape') hush(); });

  // shortened returns the start and the end of a name, or of a submission and its case.
  // Different names get different short names.
  function shortened(name, known) {
    if (!known.has(name)) {
      const taken = new Set(known.values()), parts = name.split(' · '), most = parts.length > 1 ? 11 : 18, start = most >> 1;
      const cut = part => (part.length > most ? part.slice(0, start) + '…' + part.slice(start + 1 - most) : part);
      let short = parts.slice(-2).map(cut).join(' · ');
      while (taken.has(short)) short += '\'';
      known.set(name, short);
    }
    return known.get(name);
  }

  function linesOf(picture, row) {
    return picture.hover.filter(h => row[h.field] != null).map(h => {
      let value = row[h.field];
      if (h.field === 's') value = row.told ?? value;
      if (h.field === 'x' && h.as === 'time') value = row.t ?? value;
      return [h.name, write[h.as](value)];
    });
  }

  // marks returns the marks of a view that have values to show, in their order.
  function marks(view) {
    const found = [];
    (function walk(item) {
      for (const one of item.items ?? []) {
        if (one.items) walk(one);
        else if (one.tooltip && typeof one.tooltip === 'object') found.push(one);
      }
    })(view.scenegraph().root);
    return found;
  }

  function draw(picture) {
    if (picture.view) return;
    const element = document.getElementById(picture.id);
    if (picture.most) element.style.maxWidth = picture.most + 'px';
    const spec = structuredClone(globalThis.pictures[picture.spec]);
    const narrow = element.clientWidth < 560 && new Map();
    for (const data of spec.data ?? []) {
      if (!(data.name in picture.data)) continue;
      data.values = rows(picture.data[data.name]);
      if (narrow) data.values.forEach(row => { if ('s' in row) row.s = shortened(row.told = row.s, narrow); });
    }
    // Vega sets the name of its container; the element has a name already.
    const container = element.appendChild(document.createElement('div'));
    container.setAttribute('aria-hidden', 'true');
    const view = picture.view = new vega.View(vega.parse(spec, null, { ast: true }), {
      renderer: 'svg', container, hover: true, expr: vega.expressionInterpreter, logLevel: 1,
    });
    // Highlights the line under the pointer, because many lines may look alike.
    const light = row => {
      if ('lit' in view.getState().signals) view.signal('lit', row ? row.s : null).runAsync();
    };
    view.tooltip((_, event, item, value) => {
      const told = value && typeof value === 'object' && event ? item.datum : null;
      if (told) tell(linesOf(picture, told), event.clientX, event.clientY);
      else hush();
      light(told);
    });
    for (const [name, value] of Object.entries(picture.set ?? {})) view.signal(name, value);
    view.run();
    element.dataset.marks = marks(view).length;
    element.addEventListener('pointerleave', hush);
    element.addEventListener('blur', () => { hush(); light(null); });
    let at = -1;
    element.addEventListener('keydown', e => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
      const all = step ? marks(view) : [];
      if (!all.length) return;
      e.preventDefault();
      at = (at + step + all.length) % all.length;
      const mark = all[at], box = element.querySelector('svg').getBoundingClientRect();
      const [x, y] = place(mark, view);
      tell(linesOf(picture, mark.datum), box.left + x, box.top + y);
      light(mark.datum);
    });
  }

  // place returns the position of a mark in its picture.
  function place(mark, view) {
    let x = (mark.x ?? 0) + (mark.width ?? 0) / 2, y = (mark.y ?? 0) + (mark.height ?? 0) / 2;
    for (let group = mark.mark?.group; group; group = group.mark?.group) {
      x += group.x ?? 0;
      y += group.y ?? 0;
    }
    const origin = view.origin();
    return [x + origin[0], y + origin[1]];
  }

  // walkable makes cells of the matrix of verdicts show their values, and lets arrow keys
  // move between them.
  function walkable(heat) {
    const table = document.getElementById(heat.id), body = table.tBodies[0];
    const cells = row => [...row.cells].slice(1, -1);
    const told = cell => {
      const row = cell.parentElement, r = row.sectionRowIndex, c = cell.cellIndex - 1;
      const head = table.tHead.rows[0].cells[c + 1];
      const lines = [['', row.cells[0].textContent], ['case', head.title], ['verdict', cell.textContent || 'not run']];
      if (heat.cpu[r][c] != null) lines.push(['CPU time', write.time(heat.cpu[r][c])], ['memory', write.size(heat.memory[r][c])]);
      const why = heat.why[`${r},${c}`];
      if (why) lines.push(['why', why]);
      const run = heat.run[`${r},${c}`];
      if (run) lines.push(['run', run]);
      const box = cell.getBoundingClientRect();
      tell(lines, box.left + box.width / 2 - 14, box.top);
    };
    const cellOf = e => {
      const cell = e.target.closest?.('td');
      return cell && cell.parentElement.parentElement === body && !cell.classList.contains('final') ? cell : null;
    };
    body.addEventListener('pointerover', e => { const cell = cellOf(e); if (cell) told(cell); else hush(); });
    body.addEventListener('pointerleave', hush);
    body.addEventListener('focusin', e => { const cell = cellOf(e); if (cell) told(cell); });
    body.addEventListener('focusout', hush);
    let stop = body.rows[0] && cells(body.rows[0])[0];
    if (stop) stop.tabIndex = 0;
    body.addEventListener('keydown', e => {
      const cell = cellOf(e), way = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[e.key];
      if (!cell || !way) return;
      e.preventDefault();
      const row = body.rows[cell.parentElement.sectionRowIndex + way[0]];
      const next = row && cells(row)[cell.cellIndex - 1 + way[1]];
      if (!next) return;
      stop.removeAttribute('tabindex');
      stop = next;
      stop.tabIndex = 0;
      stop.focus();
    });
  }
  heats.forEach(walkable);

  // inflate unpacks gzip (RFC 1951, 1952) synchronously. DecompressionStream would end
  // too late for a page that is printed as soon as it is loaded.
  function inflate(from) {
    const to = new Uint8Array(new DataView(from.buffer).getUint32(from.length - 4, true));
    let at = 10, end = 0, held = 0, count = 0;
    const bits = n => {
      for (; count < n; count += 8) held |= from[at++] << count;
      const value = held & ((1 << n) - 1);
      held >>>= n;
      count -= n;
      return value;
    };
    // A code has the number of symbols of each length, and the symbols in order.
    const code = lengths => {
      const counts = new Array(16).fill(0), symbols = [];
      for (let n = 1; n < 16; n++) lengths.forEach((length, symbol) => { if (length === n) { counts[n]++; symbols.push(symbol); } });
      return { counts, symbols };
    };
    const next = ({ counts, symbols }) => {
      for (let n = 1, value = 0, first = 0, index = 0; n < 16; n++) {
        value |= bits(1);
        if (value - first < counts[n]) return symbols[index + value - first];
        index += counts[n];
        first = (first + counts[n]) << 1;
        value <<= 1;
      }
      throw new Error('no gzip');
    };
    const many = (n, length) => new Array(n).fill(length);
    const fixed = [code([...many(144, 8), ...many(112, 9), ...many(24, 7), ...many(8, 8)]), code(many(30, 5))];
    const dynamic = () => {
      const literals = bits(5) + 257, distances = bits(5) + 1, order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
      const first = many(19, 0), all = [];
      for (let i = 0, n = bits(4) + 4; i < n; i++) first[order[i]] = bits(3);
      for (const lengths = code(first); all.length < literals + distances;) {
        const symbol = next(lengths);
        if (symbol < 16) all.push(symbol);
        else if (symbol === 16) all.push(...many(bits(2) + 3, all.at(-1)));
        else all.push(...many(symbol === 17 ? bits(3) + 3 : bits(7) + 11, 0));
      }
      return [code(all.slice(0, literals)), code(all.slice(literals))];
    };
    for (let last = 0; !last;) {
      last = bits(1);
      const type = bits(2);
      if (type === 0) {
        count = held = 0;
        const length = from[at] | from[at + 1] << 8;
        to.set(from.subarray(at + 4, at + 4 + length), end);
        at += 4 + length;
        end += length;
        continue;
      }
      const [literals, distances] = type === 1 ? fixed : dynamic();
      for (let symbol; (symbol = next(literals)) !== 256;) {
        if (symbol < 256) {
          to[end++] = symbol;
          continue;
        }
        const l = symbol - 257, extra = l < 8 || l === 28 ? 0 : (l >> 2) - 1;
        const length = l === 28 ? 258 : (l < 8 ? l + 3 : ((4 + l % 4) << extra) + 3) + bits(extra);
        const d = next(distances), more = d < 4 ? 0 : (d >> 1) - 1;
        const back = (d < 4 ? d + 1 : ((2 + d % 2) << more) + 1) + bits(more);
        for (let i = 0; i < length; i++, end++) to[end] = to[end - back];
      }
    }
    return to;
  }

  // unpack runs Vega, which is compressed. The policy of the page has the hash of the
  // unpacked text.
  function unpack() {
    const bytes = Uint8Array.from(atob(document.getElementById('engine').textContent), c => c.charCodeAt(0));
    const script = document.createElement('script');
    script.textContent = new TextDecoder().decode(inflate(bytes));
    document.head.append(script);
  }

  const closed = [];
  const open = () => document.querySelectorAll('details:not([open])').forEach(d => { d.open = true; closed.push(d); });
  addEventListener('beforeprint', open);
  addEventListener('afterprint', () => closed.splice(0).forEach(d => { d.open = false; }));

  if (!pictures.length) {
    document.documentElement.dataset.ready = 'yes';
    return;
  }
  unpack();
  // A picture is drawn when it is nearly visible, or when the page is printed.
  const by = new Map(pictures.map(p => [document.getElementById(p.id), p]));
  const near = new IntersectionObserver(seen => {
    for (const one of seen) {
      if (!one.isIntersecting) continue;
      near.unobserve(one.target);
      draw(by.get(one.target));
    }
  }, { rootMargin: '800px' });
  by.forEach((_, element) => near.observe(element));
  // Paper is narrower than most windows. A picture drawn for its width stays readable.
  addEventListener('beforeprint', () => pictures.forEach(picture => {
    draw(picture);
    const side = !picture.wide && document.getElementById(picture.id).closest('.many');
    picture.view.signal('width', Math.min(side ? 335 : 690, picture.most ?? 690)).run();
  }));
  addEventListener('afterprint', () => dispatchEvent(new Event('resize')));
  document.documentElement.dataset.ready = 'yes';
})();
