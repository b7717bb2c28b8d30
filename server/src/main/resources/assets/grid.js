"use strict";

// The grid of records as a spreadsheet: this file has its rows, of which only those near the view are in the document, and the
// selection. grid-edit.js changes cells, grid-drafts.js has rows that are no records yet, grid-clipboard.js copies and fills, grid-columns.js has columns, grid-live.js others' changes,
// grid-input.js takes what an input method composes.
// Without scripts the grid is a table with a link to the next rows.
(() => {
  const parts = [];
  const maxLoadedBlocks = 40;
  const margin = 1200;

  const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

  // Puts these children into the parent without touching those that are there, so that nothing loses the focus.
  const reconcile = (parent, nodes) => {
    const kept = new Set(nodes);
    [...parent.children].forEach((child) => { if (!kept.has(child)) child.remove(); });
    let at = parent.firstElementChild;
    for (const node of nodes) {
      if (node === at) at = at.nextElementSibling;
      else parent.insertBefore(node, at);
    }
  };

  const parseRows = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html.trim().startsWith("<table") ? html : `<table><tbody>${html}</tbody></table>`;
    return template.content.querySelector("tbody");
  };

  class Grid {
    constructor(table) {
      this.table = table;
      this.box = table.closest(".grid-box");
      this.body = table.tBodies[0];
      ({ path: this.path, query: this.query } = table.dataset);
      this.mayEdit = table.dataset.edit === "true";
      this.columns = [...table.tHead.querySelectorAll("th[data-column]")].map((head) => ({
        head, name: head.dataset.column, label: head.dataset.label, typed: head.dataset.typed, readOnly: !this.mayEdit || head.dataset.readonly === "true",
        readOnlyReason: head.dataset.readonlyReason,
      }));
      this.rows = new Map(); // the loaded rows by the ids of their records
      this.picked = new Set(); // the ids of the rows that are picked for a bulk change
      this.range = { row: 0, column: 0, toRow: 0, toColumn: 0 };
      this.hooks = { selection: [], rows: [] };
      this.above = this.spacer();
      this.below = this.spacer();
      this.adoptFirstBlock();
      this.decorate();
      this.listen();
      parts.forEach((part) => part(this));
      this.layout();
      this.select(0, 0, { quiet: true });
    }

    text(key, values) { return globalThis.hirobaText(key, values); }

    url(part, parameters = {}) {
      const query = new URLSearchParams(this.query);
      Object.entries(parameters).forEach(([name, value]) => [].concat(value).forEach((each) => query.append(name, each)));
      const text = query.toString();
      return `${this.path}${part}${text ? `?${text}` : ""}`;
    }

    say(message, isError = false) {
      const status = document.getElementById("grid-status");
      if (!status) return;
      status.textContent = message;
      status.classList.toggle("error", isError);
    }

    // Says so if rows that are needed cannot be loaded.
    attempt(task) {
      const attempted = task.catch(() => this.say(this.text("records.script.rows-failed"), true));
      this.tasks = Promise.all([this.tasks, attempted]).then(() => {});
      return attempted;
    }

    decorate() {
      const { table, box } = this;
      table.classList.add("ready");
      table.setAttribute("role", "grid");
      table.setAttribute("aria-multiselectable", "true");
      table.setAttribute("aria-label", table.dataset.label);
      if (!this.mayEdit) table.setAttribute("aria-readonly", "true");
      table.tabIndex = 0;
      table.tHead.rows[0].setAttribute("aria-rowindex", "1");
      box.removeAttribute("tabindex");
      box.removeAttribute("role");
      box.removeAttribute("aria-label");
      document.getElementById("grid-actions")?.removeAttribute("hidden");
    }

    // ---- Rows, in blocks as they were fetched. A block knows the cursor that it begins after.

    spacer() {
      const row = document.createElement("tr");
      row.className = "spacer";
      row.setAttribute("aria-hidden", "true");
      const cell = row.insertCell();
      cell.colSpan = this.columns.length + 2;
      return row;
    }

    adoptFirstBlock() {
      const more = this.body.querySelector("tr.more a");
      const rows = [...this.body.querySelectorAll("tr[data-row]")];
      this.blocks = [];
      this.tail = more ? new URL(more.href).searchParams.get("after") : null;
      this.total = Number(this.table.dataset.total) || rows.length;
      more?.closest("tr").remove();
      this.addBlock({ after: null, size: rows.length }).rows = rows;
      rows.forEach((row) => this.adopt(row, this.blocks[0]));
      this.rowHeight = (rows[0]?.offsetHeight || 36);
      this.renumber();
    }

    addBlock(block) {
      const added = { rows: null, gap: null, loading: null, used: 0, ...block };
      this.blocks.push(added);
      return added;
    }

    adopt(row, block) {
      row.gridBlock = block;
      this.rows.set(row.dataset.id, row);
    }

    renumber() {
      let start = 0;
      for (const block of this.blocks) {
        block.start = start;
        block.rows?.forEach((row, at) => row.setAttribute("aria-rowindex", String(start + at + 2)));
        start += block.size;
      }
      this.known = start;
      const count = this.tail ? Math.max(this.total, start + 1) : start;
      this.table.setAttribute("aria-rowcount", String(count + 1));
    }

    height(block) { return block.height ?? block.size * this.rowHeight; }

    load(block) {
      if (block.rows || block.loading) return block.loading;
      block.loading = this.fetchBlock(block).finally(() => { block.loading = null; });
      return block.loading;
    }

    async fetchBlock(block) {
      const answer = await fetch(this.url("", { after: block.after }), { headers: { "HX-Request": "true", Accept: "text/html" } });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const body = parseRows(await answer.text());
      const more = body.querySelector("tr.more a");
      // A record whose sort key was changed stays where it was, and is not shown twice.
      const rows = [...body.querySelectorAll("tr[data-row]")].filter((row) => !this.rows.has(row.dataset.id));
      block.rows = rows;
      block.size = rows.length;
      block.height = undefined;
      rows.forEach((row) => this.adopt(row, block));
      if (block === this.blocks.at(-1)) this.tail = more ? new URL(more.getAttribute("href"), location.href).searchParams.get("after") : null;
      this.renumber();
      this.layout();
    }

    // What takes the cursor at the end goes one after the other.
    grow(step) {
      this.growing = (this.growing ?? Promise.resolve()).catch(() => {}).then(step);
      return this.growing;
    }

    // The beginnings of the blocks up to a row, without their rows, for a jump.
    reach(row) {
      if (!this.tail || this.known > row) return Promise.resolve();
      return this.grow(async () => {
        while (this.tail && this.known <= row) {
          const answer = await fetch(this.url("/positions", { after: this.tail }), { headers: { Accept: "application/json" } });
          if (!answer.ok) throw new Error(`status ${answer.status}`);
          const { pages } = await answer.json();
          for (const { rows, next } of pages) {
            if (rows) this.addBlock({ after: this.tail, size: rows });
            this.tail = next ?? null;
          }
          this.renumber();
        }
        this.layout();
      });
    }

    next() {
      return this.grow(async () => {
        if (!this.tail) return;
        const block = this.addBlock({ after: this.tail, size: 0 });
        try {
          await this.load(block);
        } finally {
          if (!block.rows?.length) this.blocks.splice(this.blocks.indexOf(block), 1);
        }
      });
    }

    extend(bottom, end) {
      if (!this.tail || this.extending) return;
      const missing = Math.ceil((bottom - end) / this.rowHeight);
      this.extending = (missing > 300 ? this.reach(this.known + missing) : this.next()).then(() => true, () => {
        this.say(this.text("records.script.rows-failed"), true);
        return false;
      }).then((isDone) => {
        this.extending = null;
        if (isDone) this.layout();
      });
    }

    // Shows the blocks near the view, and spacers as high as what is above and below.
    layout() {
      if (!this.table.isConnected) return;
      const top = this.box.scrollTop - margin;
      const bottom = this.box.scrollTop + this.box.clientHeight + margin;
      const nodes = [];
      const near = [];
      let y = 0;
      let before = 0;
      let after = 0;
      for (const block of this.blocks) {
        const height = this.height(block);
        if (y + height < top) before += height;
        else if (y > bottom) after += height;
        else {
          block.used = performance.now();
          near.push(block);
          if (block.rows) nodes.push(...block.rows);
          else {
            block.gap ??= this.spacer();
            block.gap.cells[0].style.height = `${height}px`;
            nodes.push(block.gap);
            if (block.size) this.load(block).catch(() => this.say(this.text("records.script.rows-failed"), true));
          }
        }
        y += height;
      }
      if (this.tail) after += Math.max(1, this.total - this.known) * this.rowHeight;
      // Most steps of scrolling change nothing: the table is laid out anew only when other blocks are near.
      const shown = `${before} ${after} ${near.map((block) => `${block.start}:${block.rows?.length ?? "-"}`)}`;
      if (shown !== this.shown) {
        this.shown = shown;
        this.above.cells[0].style.height = `${before}px`;
        this.below.cells[0].style.height = `${after}px`;
        if (before) nodes.unshift(this.above);
        if (after) nodes.push(this.below);
        reconcile(this.body, nodes);
        this.measure(near);
        this.hooks.rows.forEach((hook) => hook());
        this.paint();
      }
      if (this.tail && bottom > y) this.extend(bottom, y);
      this.evict();
    }

    measure(blocks) {
      for (const block of blocks) {
        const [first] = block.rows ?? [];
        if (!first?.isConnected || block.height !== undefined || !block.rows.at(-1).isConnected) continue;
        const last = block.rows.at(-1);
        block.height = last.offsetTop + last.offsetHeight - first.offsetTop;
      }
    }

    // Blocks that were not seen for long are fetched again, unless something was changed in them: nothing moves while one works.
    evict() {
      const loaded = this.blocks.filter((block) => block.rows && block !== this.blocks[0] && !block.changed);
      if (loaded.length <= maxLoadedBlocks) return;
      loaded.sort((a, b) => a.used - b.used).slice(0, loaded.length - maxLoadedBlocks).forEach((block) => {
        if (block.rows.some((row) => row.isConnected || this.picked.has(row.dataset.id))) return;
        block.rows.forEach((row) => this.rows.delete(row.dataset.id));
        block.rows = null;
      });
    }

    blockOf(row) { return this.blocks.find((block) => row >= block.start && row < block.start + block.size); }

    rowAt(row) {
      const block = this.blockOf(row);
      return block?.rows?.[row - block.start];
    }

    indexOf(row) { return row.gridBlock.start + row.gridBlock.rows.indexOf(row); }

    cellAt(row, column) {
      const found = this.rowAt(row);
      return found && !found.classList.contains("gone") ? found.cells[column + 1] : undefined;
    }

    // The loaded rows from one index to another; loads those that are not.
    async between(from, to) {
      await this.reach(to);
      for (const block of [...this.blocks]) {
        if (block.start <= to && block.start + block.size > from) await this.load(block);
      }
      const rows = [];
      for (let row = from; row <= Math.min(to, this.known - 1); row++) rows.push(this.rowAt(row));
      return rows;
    }

    // Takes over what the server says of a row, except for cells that are being edited. The row stays where it is.
    replace(row, fresh) {
      row.gridBlock.changed = true;
      row.dataset.version = fresh.dataset.version;
      if (row.classList.contains("gone")) {
        row.classList.remove("gone");
        row.replaceChildren(...fresh.children);
      } else this.replaceCells(row, [...fresh.cells].slice(1), 1);
      this.replaced(row);
    }

    // Rows at the end of the grid, whatever its order says: they are there to be seen.
    async append(rows) {
      await this.reach(Infinity);
      const block = this.blocks.at(-1);
      await this.load(block);
      rows.forEach((row) => {
        block.rows.push(row);
        this.adopt(row, block);
      });
      this.resized(block);
    }

    drop(rows) {
      for (const row of rows) {
        this.rows.delete(row.dataset.id);
        row.remove();
      }
      for (const block of new Set(rows.map((row) => row.gridBlock))) {
        block.rows = block.rows.filter((row) => this.rows.has(row.dataset.id));
        this.resized(block);
      }
      const { row, column, toRow, toColumn } = this.range;
      this.select(row, column, { toRow, toColumn, quiet: true });
    }

    resized(block) {
      block.size = block.rows.length;
      block.height = undefined;
      block.changed = true;
      this.renumber();
      this.layout();
    }

    replaceCells(row, cells, from) {
      cells.forEach((cell, at) => {
        const old = row.cells[from + at];
        if (old.classList.contains("editing")) old.pending = cell;
        else old.replaceWith(cell);
      });
    }

    replaced(row) {
      this.hooks.rows.forEach((hook) => hook(row));
      if (this.painting) return;
      this.painting = true;
      queueMicrotask(() => {
        this.painting = false;
        this.repaint();
      });
    }

    // A row of which a record was made.
    rename(row, fresh) {
      this.rows.delete(row.dataset.id);
      row.className = "";
      row.id = fresh.id;
      Object.assign(row.dataset, fresh.dataset);
      this.rows.set(row.dataset.id, row);
      this.replaceCells(row, [...fresh.cells], 0);
      this.replaced(row);
    }

    async fetchRows(ids) {
      const found = new Map();
      for (let at = 0; at < ids.length; at += 50) {
        const answer = await fetch(this.url("/rows", { id: ids.slice(at, at + 50) }), { headers: { Accept: "text/html" } });
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        [...parseRows(await answer.text()).rows].forEach((row) => found.set(row.dataset.id, row));
      }
      return found;
    }

    // ---- The selection: a rectangle of cells whose first corner is the active cell.

    get rectangle() {
      const { row, column, toRow, toColumn } = this.range;
      return {
        top: Math.min(row, toRow), bottom: Math.max(row, toRow), left: Math.min(column, toColumn), right: Math.max(column, toColumn),
      };
    }

    select(row, column, { toRow = row, toColumn = column, quiet = false } = {}) {
      const lastRow = Math.max(0, this.known - 1);
      const lastColumn = this.columns.length - 1;
      this.range = {
        row: clamp(row, 0, lastRow), column: clamp(column, 0, lastColumn), toRow: clamp(toRow, 0, lastRow), toColumn: clamp(toColumn, 0, lastColumn),
      };
      if (!quiet) this.reveal(this.range.toRow, this.range.toColumn);
      this.paint();
      if (quiet) return;
      const { top, bottom, left, right } = this.rectangle;
      this.say(top === bottom && left === right ? "" : this.text("records.script.selected-cells", { rows: bottom - top + 1, columns: right - left + 1 }));
      this.hooks.selection.forEach((hook) => hook());
    }

    extendTo(row, column) { this.select(this.range.row, this.range.column, { toRow: row, toColumn: column }); }

    // Only what has changed since the last time is touched.
    paint() {
      const { top, bottom, left, right } = this.rectangle;
      const wanted = new Set();
      for (const row of this.body.rows) {
        if (!row.dataset.id || row.classList.contains("gone")) continue;
        const at = this.indexOf(row);
        if (at < top || at > bottom) continue;
        for (let column = left; column <= right; column++) wanted.add(row.cells[column + 1]);
      }
      this.painted?.forEach((cell) => {
        if (wanted.has(cell)) return;
        cell.classList.remove("selected");
        cell.removeAttribute("aria-selected");
      });
      wanted.forEach((cell) => {
        cell.classList.add("selected");
        cell.setAttribute("aria-selected", "true");
      });
      this.painted = wanted;
      const active = this.cellAt(this.range.row, this.range.column);
      if (active !== this.active) {
        this.active?.classList.remove("active");
        this.active?.removeAttribute("id");
      }
      this.active = active;
      active?.classList.add("active");
      if (active) active.id = "active-cell";
      if (active?.isConnected) this.table.setAttribute("aria-activedescendant", "active-cell");
      else this.table.removeAttribute("aria-activedescendant");
      this.placeHandle();
    }

    repaint() {
      this.painted = null;
      this.paint();
    }

    placeHandle() {
      const { bottom, right } = this.rectangle;
      const corner = this.mayEdit ? this.cellAt(bottom, right) : null;
      this.handle ??= Object.assign(document.createElement("div"), { className: "fill-handle" });
      if (!corner?.isConnected || corner.classList.contains("editing")) {
        this.handle.remove();
        return;
      }
      if (!this.handle.isConnected) this.box.append(this.handle);
      this.handle.style.left = `${corner.offsetLeft + corner.offsetWidth - 5}px`;
      this.handle.style.top = `${corner.offsetTop + corner.offsetHeight - 5}px`;
    }

    reveal(row, column) {
      const { box } = this;
      const head = this.table.tHead.offsetHeight;
      const block = this.blockOf(row);
      if (!block) return;
      const shown = this.rowAt(row);
      const y = shown?.isConnected
        ? shown.offsetTop
        : head + this.blocks.slice(0, this.blocks.indexOf(block)).reduce((sum, each) => sum + this.height(each), 0) + (row - block.start) * this.rowHeight;
      if (y < box.scrollTop + head) box.scrollTop = y - head;
      else if (y + this.rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = y + this.rowHeight - box.clientHeight + 2;
      const { head: cell } = this.columns[column];
      const frozen = [...this.table.tHead.rows[0].cells].filter((each) => each.matches(".open, .frozen")).reduce((sum, each) => sum + each.offsetWidth, 0);
      if (!cell.classList.contains("frozen")) {
        if (cell.offsetLeft < box.scrollLeft + frozen) box.scrollLeft = cell.offsetLeft - frozen;
        else if (cell.offsetLeft + cell.offsetWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
      }
      if (!shown?.isConnected) this.layout();
    }

    // ---- Mouse and keyboard

    place(target) {
      const cell = target.closest?.("td");
      const row = cell?.closest("tr[data-id]");
      if (!row || row.classList.contains("gone") || !this.body.contains(row)) return null;
      const column = cell.cellIndex - 1;
      return column >= 0 && column < this.columns.length ? { row: this.indexOf(row), column, cell } : null;
    }

    listen() {
      const { table, box } = this;
      let frame = 0;
      box.addEventListener("scroll", () => {
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => this.layout());
      }, { passive: true });
      table.addEventListener("mousedown", (event) => this.press(event));
      table.addEventListener("keydown", (event) => { if (event.target === table) this.key(event); });
      table.addEventListener("change", (event) => { if (event.target.matches(".row-check")) this.pick(event.target); });
      table.addEventListener("click", (event) => { this.shiftPressed = event.shiftKey; }, true);
    }

    press(event) {
      const at = this.place(event.target);
      if (!at || event.button !== 0 || event.target.closest("a, button, input, select, textarea, form")) return;
      event.preventDefault();
      this.table.focus({ preventScroll: true });
      if (event.shiftKey) this.extendTo(at.row, at.column);
      else this.select(at.row, at.column);
      this.drag((over) => this.extendTo(over.row, over.column));
    }

    // Follows the mouse to other cells, scrolling at the edges, until its button is released.
    drag(move, done = () => {}) {
      let last = null;
      let timer = 0;
      const follow = () => {
        const over = last && this.place(document.elementFromPoint(last.x, last.y) ?? this.table);
        if (over) move(over);
      };
      const moved = (event) => {
        last = { x: event.clientX, y: event.clientY };
        follow();
      };
      timer = setInterval(() => {
        if (!last) return;
        const edge = this.box.getBoundingClientRect();
        const step = last.y > edge.bottom - 24 ? 24 : last.y < edge.top + this.table.tHead.offsetHeight + 8 ? -24 : 0;
        if (!step) return;
        this.box.scrollTop += step;
        follow();
      }, 50);
      document.addEventListener("mousemove", moved);
      document.addEventListener("mouseup", () => {
        clearInterval(timer);
        document.removeEventListener("mousemove", moved);
        done();
      }, { once: true });
    }

    key(event) {
      const { key, shiftKey } = event;
      const command = event.ctrlKey || event.metaKey;
      const { row, column, toRow, toColumn } = this.range;
      const lastRow = this.known - 1;
      const lastColumn = this.columns.length - 1;
      const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 2);
      const from = shiftKey ? { row: toRow, column: toColumn } : { row, column };
      const to = {
        ArrowUp: () => ({ ...from, row: command ? 0 : from.row - 1 }),
        ArrowDown: () => ({ ...from, row: command ? lastRow : from.row + 1 }),
        ArrowLeft: () => ({ ...from, column: command ? 0 : from.column - 1 }),
        ArrowRight: () => ({ ...from, column: command ? lastColumn : from.column + 1 }),
        Home: () => ({ row: command ? 0 : from.row, column: 0 }),
        End: () => ({ row: command ? lastRow : from.row, column: lastColumn }),
        PageUp: () => ({ ...from, row: from.row - page }),
        PageDown: () => ({ ...from, row: from.row + page }),
      }[key];
      if (to) {
        event.preventDefault();
        this.attempt(this.go(to(), shiftKey, command && ["ArrowDown", "End"].includes(key)));
      } else if (key === "Tab" && !command && !event.altKey) {
        // At the end of a row the focus leaves the grid, as anywhere on the page.
        const next = column + (shiftKey ? -1 : 1);
        if (next < 0 || next > lastColumn) return;
        event.preventDefault();
        this.select(row, next);
      } else if (command && key.toLowerCase() === "a") {
        event.preventDefault();
        this.attempt(this.selectAll());
      } else if (key === "Escape") {
        this.select(row, column);
      } else if (key === " " && shiftKey) {
        event.preventDefault();
        this.attempt(this.pickRange(this.rectangle.top, this.rectangle.bottom));
      }
    }

    async go(to, extended, toTheEnd) {
      const move = (row) => (extended ? this.extendTo(row, to.column) : this.select(row, to.column));
      move(to.row);
      if (!toTheEnd || !this.tail) return;
      await this.reach(Infinity);
      move(this.known - 1);
    }

    async selectAll() {
      await this.reach(Infinity);
      this.range = { row: 0, column: 0, toRow: this.known - 1, toColumn: this.columns.length - 1 };
      this.paint();
      this.say(this.text("records.script.selected-cells", { rows: this.known, columns: this.columns.length }));
    }

    // ---- Rows that are picked by their boxes

    pick(check) {
      if (check.matches("[data-all-rows]")) {
        this.picked = new Set(check.checked ? [...this.rows.values()].filter((row) => !row.classList.contains("gone")).map((row) => row.dataset.id) : []);
      } else {
        const row = check.closest("tr");
        const at = this.indexOf(row);
        if (this.shiftPressed && this.lastPicked !== undefined) {
          this.attempt(this.pickRange(Math.min(at, this.lastPicked), Math.max(at, this.lastPicked)));
        } else if (check.checked) this.picked.add(row.dataset.id);
        else this.picked.delete(row.dataset.id);
        this.lastPicked = at;
      }
      this.showPicked();
    }

    async pickRange(from, to) {
      (await this.between(from, to)).forEach((row) => { if (row && !row.classList.contains("gone")) this.picked.add(row.dataset.id); });
      this.showPicked();
    }

    unpick() {
      this.picked.clear();
      this.showPicked();
    }

    showPicked() {
      this.rows.forEach((row, id) => {
        const check = row.querySelector(".row-check");
        if (check) check.checked = this.picked.has(id);
        row.classList.toggle("picked", this.picked.has(id));
      });
      const bar = document.getElementById("grid-bulk");
      if (!bar) return;
      bar.hidden = this.picked.size === 0;
      bar.querySelector("[data-grid=picked]").textContent = this.text("records.script.picked", { count: this.picked.size });
      this.hooks.selection.forEach((hook) => hook());
    }
  }

  const hirobaGrid = {
    current: null,
    parseRows,
    extend: (part) => parts.push(part),
  };
  globalThis.hirobaGrid = hirobaGrid;

  const attach = () => {
    // Nothing can be measured before the styles are there.
    if (document.documentElement.classList.contains("loading-styles")) {
      requestAnimationFrame(attach);
      return;
    }
    const table = document.getElementById("grid");
    if (hirobaGrid.current?.table === table) return;
    hirobaGrid.current = table ? new Grid(table) : null;
    document.dispatchEvent(new CustomEvent("grid:attached"));
  };
  document.addEventListener("DOMContentLoaded", attach);
  document.addEventListener("htmx:afterSettle", attach);
})();
