"use strict";

// Ranges of the grid copied to and pasted from spreadsheets, filled down and cleared. Programs exchange texts with tabs and line
// breaks; a cell that has such itself stands in quotes.
(() => {
  const maxCopiedRows = 10_000;

  const quoted = (text) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text);
  const written = (lines) => lines.map((line) => line.map(quoted).join("\t")).join("\n");

  // The lines of a text with tabs. Quotes count only where they begin a cell.
  const parsed = (text) => {
    const lines = [[]];
    let cell = "";
    let at = 0;
    const end = () => {
      lines.at(-1).push(cell);
      cell = "";
    };
    while (at < text.length) {
      if (text[at] === "\"" && cell === "" && (at === 0 || "\t\n\r".includes(text[at - 1]))) {
        const closing = /^"((?:[^"]|"")*)"(?=[\t\n\r]|$)/.exec(text.slice(at));
        if (closing) {
          cell = closing[1].replaceAll("\"\"", "\"");
          at += closing[0].length;
          continue;
        }
      }
      if (text[at] === "\t") end();
      else if (text[at] === "\n" || text[at] === "\r") {
        if (text[at] === "\r" && text[at + 1] === "\n") at++;
        end();
        lines.push([]);
      } else cell += text[at];
      at++;
    }
    // Spreadsheets end the last line as well.
    if (cell !== "" || lines.at(-1).length) end();
    else lines.pop();
    return lines;
  };

  globalThis.hirobaGrid.parseClipboard = parsed;
  globalThis.hirobaGrid.writeClipboard = written;

  globalThis.hirobaGrid.extend((grid) => {
    let copied = null;

    const columnsFrom = (left, right) => grid.columns.slice(left, right + 1).map((column, at) => ({ ...column, at: left + at }));

    // Of a value that is too long for the page, the server is asked.
    const longValue = async (row, name) => {
      const [, project, schema] = /^\/records\/([^/]+)\/([^/]+)/.exec(grid.path);
      const answer = await fetch(`/api/v1/projects/${project}/records/${schema}/${row.dataset.id}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const value = (await answer.json()).values[name];
      return typeof value === "string" ? value : JSON.stringify(value);
    };
    const exact = (cell) => grid.valueOf(cell);
    const plain = (cell) => cell.dataset.text ?? grid.valueOf(cell);

    const loadedRows = (top, bottom) => {
      const rows = [];
      for (let at = top; at <= bottom; at++) rows.push(grid.rowAt(at));
      return rows;
    };
    const usable = (rows) => rows.filter((row) => row && !row.classList.contains("gone"));

    const copyNow = (rows, left, right) => ({
      text: written(rows.map((row) => columnsFrom(left, right).map(({ at }) => plain(row.cells[at + 1])))),
      values: rows.map((row) => columnsFrom(left, right).map(({ at }) => exact(row.cells[at + 1]))),
    });
    const copyLong = async (top, bottom, left, right) => {
      const rows = usable(await grid.between(top, bottom));
      const values = [];
      const texts = [];
      for (const row of rows) {
        values.push([]);
        texts.push([]);
        for (const { at, name } of columnsFrom(left, right)) {
          const cell = row.cells[at + 1];
          const long = cell.dataset.long ? await longValue(row, name) : null;
          values.at(-1).push(long ?? exact(cell));
          texts.at(-1).push(long ?? plain(cell));
        }
      }
      return { text: written(texts), values };
    };
    const sayCopied = () => grid.say(grid.text("records.script.copied", { rows: copied.values.length, columns: copied.values[0]?.length ?? 0 }));

    const copy = (event) => {
      const { top, bottom, left, right } = grid.rectangle;
      event.preventDefault();
      if (bottom - top >= maxCopiedRows) {
        grid.say(grid.text("records.script.too-many-copied", { max: maxCopiedRows }), true);
        return Promise.resolve(false);
      }
      const all = loadedRows(top, bottom);
      const rows = usable(all);
      const isHere = all.every((row) => row) && !rows.some((row) => columnsFrom(left, right).some(({ at }) => row.cells[at + 1].dataset.long));
      if (isHere) {
        copied = copyNow(rows, left, right);
        event.clipboardData.setData("text/plain", copied.text);
        sayCopied();
        return Promise.resolve(true);
      }
      grid.say(grid.text("records.script.copying"));
      return copyLong(top, bottom, left, right).then(async (result) => {
        copied = result;
        await navigator.clipboard.writeText(result.text);
        sayCopied();
        return true;
      }).catch(() => {
        grid.say(grid.text("records.script.copy-failed"), true);
        return false;
      });
    };

    const changesOf = (rows, left, lines) => {
      const changes = [];
      rows.forEach((row, down) => lines[down].forEach((text, right) => {
        const column = grid.columns[left + right];
        if (column && !column.readOnly) changes.push({ id: row.dataset.id, name: column.name, text });
      }));
      return changes;
    };

    // So many rows from one on, without those that were deleted; fewer where the grid ends.
    const rowsFrom = async (top, count) => {
      for (let to = top + count - 1; ;) {
        const rows = usable(await grid.between(top, to));
        if (rows.length >= count || to >= grid.known - 1) return rows;
        to += count - rows.length;
      }
    };

    // Repeats what is pasted where the selection is a multiple of it, as one cell into many.
    const tiled = (lines, height, width) => {
      const tall = height % lines.length === 0 ? height : lines.length;
      const across = Math.max(...lines.map((line) => line.length));
      const wide = width % across === 0 ? width : across;
      return Array.from({ length: tall }, (_, down) => Array.from({ length: wide }, (__, right) => lines[down % lines.length][right % across] ?? ""));
    };

    const paste = async (text) => {
      // What was said before is not the outcome of this.
      grid.say("");
      const source = copied && text.replaceAll("\r\n", "\n") === copied.text ? copied.values : parsed(text);
      if (!source.length) return;
      const { top, bottom, left, right } = grid.rectangle;
      const lines = tiled(source, bottom - top + 1, right - left + 1);
      const rows = await rowsFrom(top, lines.length);
      const width = Math.min(lines[0].length, grid.columns.length - left);
      const beyond = lines.slice(rows.length).filter((line) => columnsFrom(left, left + width - 1).some(({ readOnly }, at) => !readOnly && line[at]));
      const added = grid.mayCreate ? beyond : [];
      if (rows.length + added.length > grid.maxChangedRows) {
        grid.say(grid.text("records.script.too-many-pasted", { max: grid.maxChangedRows }), true);
        return;
      }
      if (!await grid.drafts.agreed(added.length)) return;
      const ids = added.length ? await grid.drafts.add(added.length) : [];
      const changes = changesOf([...rows, ...ids.map((id) => grid.rows.get(id))], left, [...lines.slice(0, rows.length), ...added]);
      if (!changes.length) {
        grid.say(grid.text("records.script.read-only"), true);
        return;
      }
      const made = added.length + rows.filter((row) => grid.drafts.isDraft(row.dataset.id)).length;
      const words = [made ? grid.text("records.script.pasted-added", { count: changes.length, rows: made }) : grid.text("records.script.pasted", { count: changes.length })];
      if (beyond.length > added.length) words.push(grid.text("records.script.pasted-denied", { rows: beyond.length }));
      if (width < lines[0].length) words.push(grid.text("records.script.pasted-partly", { columns: lines[0].length - width }));
      const isCut = words.length > 1;
      if (columnsFrom(left, left + width - 1).some((column) => column.readOnly)) words.push(grid.text("records.script.pasted-writable"));
      if (await grid.change(changes, "")) {
        grid.select(top, left, { toRow: top + rows.length + added.length - 1, toColumn: left + width - 1 });
        grid.say(words.join(" "), isCut);
      }
    };

    const clear = async () => {
      const { top, bottom, left, right } = grid.rectangle;
      const rows = usable(await grid.between(top, bottom));
      const filled = rows.flatMap((row) => columnsFrom(left, right)
        .filter((column) => !column.readOnly && grid.valueOf(row.cells[column.at + 1]) !== "")
        .map(({ name }) => ({ id: row.dataset.id, name, text: "" })));
      if (filled.length) await grid.change(filled, grid.text("records.script.cleared", { count: filled.length }));
    };

    // The first row of the range into all others; of a single row, the one above it.
    grid.fillDown = async (from = null) => {
      const range = grid.rectangle;
      const { left, right } = range;
      const single = range.top === range.bottom;
      const source = from ?? { top: single ? range.top - 1 : range.top, bottom: single ? range.top - 1 : range.top };
      const first = from ? from.bottom + 1 : source.bottom + 1;
      if (source.top < 0 || first > range.bottom) return;
      const { values } = await copyLong(source.top, source.bottom, left, right);
      const rows = usable(await grid.between(first, range.bottom));
      if (values.length) await grid.change(changesOf(rows, left, rows.map((_, at) => values[at % values.length])));
    };

    const isOurs = (event) => grid.table.isConnected && [event.target, document.activeElement].some((each) => each && (each === grid.table || each === grid.input));
    const listeners = {
      copy: (event) => copy(event),
      cut: async (event) => {
        if (!grid.mayEdit) return copy(event);
        return (await copy(event)) && grid.attempt(clear());
      },
      paste: (event) => {
        if (!grid.mayEdit) return;
        event.preventDefault();
        grid.attempt(paste(event.clipboardData.getData("text/plain")));
      },
    };
    Object.entries(listeners).forEach(([kind, listener]) => document.addEventListener(kind, (event) => { if (isOurs(event)) listener(event); }));

    grid.table.addEventListener("keydown", (event) => {
      if (event.target !== grid.table || !grid.mayEdit) return;
      if (event.key === "Delete" || event.key === "Backspace") {
        event.preventDefault();
        grid.attempt(clear());
      } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "d") {
        event.preventDefault();
        grid.attempt(grid.fillDown());
      }
    });

    grid.box.addEventListener("mousedown", (event) => {
      if (!event.target.matches(".fill-handle") || event.button !== 0) return;
      event.preventDefault();
      grid.table.focus({ preventScroll: true });
      const from = grid.rectangle;
      grid.handle.classList.add("dragged");
      grid.drag(
        ({ row }) => grid.select(from.top, from.left, { toRow: Math.max(from.bottom, row), toColumn: from.right }),
        () => {
          grid.handle.classList.remove("dragged");
          grid.attempt(grid.fillDown(from));
        },
      );
    });
  });
})();
