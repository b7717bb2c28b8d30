"use strict";

// Cells of the grid edited in place and saved in batches, all or nothing, each row with the version that is seen; undo and redo.
(() => {
  const maxChangedRows = 1000;
  const maxAttempts = 3;

  // What an editor of a cell begins with, and what others compare.
  const valueOf = (cell) => cell?.dataset.value ?? cell?.textContent.trim() ?? "";

  globalThis.hirobaGrid.extend((grid) => {
    const undone = [];
    const done = [];
    const editors = new Map(); // by cell
    let queue = Promise.resolve();
    grid.valueOf = valueOf;
    grid.maxChangedRows = maxChangedRows;
    grid.isWritable = (column) => !grid.columns[column].readOnly;

    const post = (part, rows, others = {}) => fetch(grid.url(part), {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/html, application/json" },
      body: JSON.stringify({ rows, ...others }),
    });

    const columnOf = (name) => grid.columns.findIndex((column) => column.name === name);
    const cellOf = (id, name) => {
      const row = grid.rows.get(id);
      return row && !row.classList.contains("gone") ? row.cells[columnOf(name) + 1] : undefined;
    };

    // ---- Errors at the cells that they are about

    const bubble = Object.assign(document.createElement("div"), { className: "cell-error", hidden: true });
    bubble.setAttribute("role", "alert");
    grid.box.append(bubble);
    const showError = () => {
      const message = grid.active?.isConnected ? grid.active.dataset.error : null;
      bubble.hidden = !message;
      if (!message) return;
      bubble.textContent = message;
      bubble.style.left = `${Math.max(0, Math.min(grid.active.offsetLeft, grid.box.scrollLeft + grid.box.clientWidth - 260))}px`;
      bubble.style.top = `${grid.active.offsetTop + grid.active.offsetHeight}px`;
    };
    grid.hooks.selection.push(showError);
    const marked = new Set();
    const clearErrors = () => {
      marked.forEach((cell) => {
        delete cell.dataset.error;
        cell.classList.remove("bad");
        cell.removeAttribute("aria-invalid");
      });
      marked.clear();
      bubble.hidden = true;
    };
    grid.clearErrors = clearErrors;
    const markErrors = (errors, headline) => {
      const places = [];
      for (const { row: id, attribute, message } of errors) {
        const row = grid.rows.get(id);
        const at = attribute ? columnOf(attribute) : -1;
        const cell = row?.cells[at < 0 ? Math.max(1, grid.range.column + 1) : at + 1];
        if (!cell) continue;
        marked.add(cell);
        cell.dataset.error = attribute && at < 0 ? grid.text("records.script.error-elsewhere", { attribute, message }) : message;
        cell.classList.add("bad");
        cell.setAttribute("aria-invalid", "true");
        places.push({ row: grid.indexOf(row), column: Math.max(0, cell.cellIndex - 1) });
      }
      if (places.length) {
        places.sort((a, b) => a.row - b.row || a.column - b.column);
        grid.select(places[0].row, places[0].column);
        showError();
      }
      grid.say(errors.length && !places.length ? `${headline} ${errors[0].message}` : headline, true);
    };

    // ---- Saving. One request at a time, so that each knows the versions after the one before.

    // The value of a cell as the server last told it, also while it is edited.
    const seen = (id, name) => {
      const cell = cellOf(id, name);
      if (cell?.pending) return valueOf(cell.pending);
      return editors.has(cell) ? editors.get(cell).base : valueOf(cell);
    };
    const conflict = ({ id, name }) => {
      const cell = cellOf(id, name)?.pending ?? cellOf(id, name);
      const shown = cell?.dataset.text ?? valueOf(cell);
      return { row: id, attribute: name, now: valueOf(cell), message: shown ? grid.text("records.script.conflict", { value: shown.slice(0, 80) }) : grid.text("records.script.conflict-empty") };
    };

    // changes: [{id, name, text or value, base}], where base is what the cell was when the change was decided upon. Where somebody
    // else has changed the record meanwhile, but none of these cells, nothing of theirs is lost, and the newer version is taken.
    // others: {created: drafts, deleted and restored: [{id, version}]} of the same request.
    const send = async (changes, others) => {
      for (let attempt = 1; ; attempt++) {
        const conflicts = changes.filter(({ id, name, base }) => seen(id, name) !== base);
        if (conflicts.length) return { ok: false, errors: conflicts.map(conflict), isConflict: true };
        const byRow = new Map();
        for (const change of changes) {
          if (!byRow.has(change.id)) byRow.set(change.id, { id: change.id, version: Number(grid.rows.get(change.id).dataset.version), typed: {}, values: {} });
          const row = byRow.get(change.id);
          if ("value" in change) row.values[change.name] = change.value;
          else row.typed[change.name] = change.text;
        }
        const answer = await post("/cells", [...byRow.values()], others);
        if (answer.ok) return { ok: true, body: globalThis.hirobaGrid.parseRows(await answer.text()) };
        const refusal = await answer.json().catch(() => ({}));
        const errors = refusal.errors ?? [{ row: "", message: refusal.detail ?? grid.text("records.script.save-failed") }];
        const ids = [...new Set(errors.map((each) => each.row).filter((id) => grid.rows.has(id) && !grid.drafts.isDraft(id)))];
        if (answer.status !== 412 || !ids.length || attempt === maxAttempts) return { ok: false, errors };
        const fresh = await grid.fetchRows(ids);
        const gone = ids.filter((id) => !fresh.has(id));
        ids.forEach((id) => (fresh.has(id) ? grid.replace(grid.rows.get(id), fresh.get(id)) : grid.markGone(grid.rows.get(id))));
        if (gone.length) return { ok: false, errors: gone.map((id) => ({ row: id, message: grid.text("records.script.row-gone") })) };
      }
    };

    // What takes a change back, with what the cells are after it.
    const remember = (body, stack) => {
      const cells = (id) => Object.fromEntries(grid.columns.map(({ name }) => [name, valueOf(cellOf(id, name))]));
      const entry = {
        kind: "cells",
        changes: [],
        created: body.created.filter(({ id }) => grid.rows.has(id)).map(({ id }) => ({ id, cells: cells(id) })),
        deleted: JSON.parse(body.dataset.deleted),
      };
      for (const { id, values } of JSON.parse(body.dataset.undo)) {
        for (const [name, value] of Object.entries(values)) entry.changes.push({ id, name, value, base: valueOf(cellOf(id, name)) });
      }
      if (entry.changes.length || entry.created.length || entry.deleted.length) stack.push(entry);
      if (stack.length > 200) stack.shift();
    };
    const accept = async (body, changes, { created = [], deleted = [], restored = [] }) => {
      body.created = JSON.parse(body.dataset.created);
      if (created.length) grid.drafts.accept(body.created, created, body.rows);
      if (deleted.length) grid.drop(deleted.map(({ id }) => grid.rows.get(id)).filter((row) => row));
      if (restored.length) {
        const again = restored.map(({ id }) => [...body.rows].find((row) => row.dataset.id === id)).filter((row) => row);
        body.created = again.map((row) => ({ id: row.dataset.id }));
        await grid.append(again);
      }
      [...body.rows].forEach((fresh) => {
        const row = grid.rows.get(fresh.dataset.id);
        if (row) grid.replace(row, fresh);
      });
      changes.forEach(({ id, name }) => {
        const cell = cellOf(id, name);
        cell?.classList.add("saved");
        setTimeout(() => cell?.classList.remove("saved"), 1200);
      });
    };
    const showHistory = () => {
      const actions = document.getElementById("grid-actions");
      if (!actions) return;
      actions.querySelector("[data-grid=undo]").disabled = !done.length;
      actions.querySelector("[data-grid=redo]").disabled = !undone.length;
    };
    // A draft may have become a record since the change was decided upon.
    const current = (change) => {
      const id = grid.drafts.recordOf(change.id);
      return id === change.id ? change : { ...change, id, base: seen(id, change.name) };
    };
    grid.settled = async () => {
      await grid.tasks;
      await queue;
    };
    grid.hooks.renamed = (from, to) => editors.forEach((editor, cell) => {
      if (editor.id === from) Object.assign(editor, { id: to, base: valueOf(cell.pending) });
    });
    const run = (task) => {
      const result = queue.then(task).catch((error) => {
        grid.say(globalThis.hirobaText("shell.script.unreachable"), true);
        return { ok: false, errors: [{ row: "", message: String(error) }], isLost: true };
      });
      queue = result;
      return result;
    };
    const save = (wanted, stack = done, accepted = () => {}, others = {}) => run(async () => {
      const { changes, created } = grid.drafts.merged(wanted.map(current));
      const all = created.length ? { ...others, key: grid.drafts.key, created } : others;
      const result = changes.length || Object.keys(all).length ? await send(changes, all) : { ok: true };
      if (result.ok) {
        accepted();
        if (result.body) {
          await accept(result.body, changes, all);
          remember(result.body, stack);
        }
      }
      return result;
    });

    // Changes cells to texts: pasted, filled, cleared. Says how many, or marks the cells that are in the way.
    grid.change = async (texts, message) => {
      clearErrors();
      const changes = texts.filter(({ id, name }) => cellOf(id, name)).map((each) => ({ ...each, base: seen(each.id, each.name) }));
      if (!changes.length) return false;
      if (new Set(changes.map((each) => each.id)).size > maxChangedRows) {
        grid.say(grid.text("records.script.too-many-rows", { max: maxChangedRows }), true);
        return false;
      }
      changes.forEach((change) => cellOf(change.id, change.name)?.classList.add("saving"));
      const result = await save(changes);
      changes.forEach((change) => cellOf(change.id, change.name)?.classList.remove("saving"));
      if (result.ok) {
        undone.length = 0;
        grid.say(message ?? grid.text("records.script.changed-cells", { count: changes.length }));
      } else if (!result.isLost) {
        const words = changes.some(({ id }) => grid.drafts.isDraft(id)) ? "records.script.drafts-faulty" : "records.script.nothing-changed";
        markErrors(result.errors, grid.text(words, { count: result.errors.length }));
      }
      showHistory();
      return result.ok;
    };

    const back = async (from, to, words) => {
      // What is on its way is undone once it is there.
      await grid.settled();
      if (!grid.drafts.isEmpty) {
        await grid.drafts.discard();
        return;
      }
      const entry = from.pop();
      if (!entry) return;
      clearErrors();
      if (entry.kind !== "cells") {
        const inverse = await run(() => (entry.kind === "delete" ? restoreRows(entry.rows) : removeRows(entry.rows)));
        if (inverse.entry) to.push(inverse.entry);
        else if (inverse.isLost) from.push(entry);
        showHistory();
        return;
      }
      // What somebody else has written since is not written over.
      const isChanged = ({ id, cells }) => !grid.rows.has(id) || Object.entries(cells).some(([name, value]) => seen(id, name) !== value);
      if (entry.changes.some(({ id, name }) => !cellOf(id, name)) || entry.created.some(isChanged)) {
        grid.say(grid.text("records.script.undo-refused"), true);
        showHistory();
        return;
      }
      const others = {};
      if (entry.created.length) others.deleted = entry.created.map(({ id }) => ({ id, version: Number(grid.rows.get(id).dataset.version) }));
      if (entry.deleted.length) others.restored = entry.deleted;
      const result = await save(entry.changes, to, () => {}, others);
      if (result.ok) {
        const [first] = entry.changes;
        if (first) grid.select(grid.indexOf(grid.rows.get(first.id)), columnOf(first.name));
        else grid.select(entry.deleted.length ? grid.known - 1 : grid.range.row, grid.range.column);
        grid.say(grid.text(words, { count: entry.changes.length }));
      } else if (result.isLost) from.push(entry);
      else markErrors(result.errors.map((each) => (result.isConflict ? { ...each, message: grid.text("records.script.undo-conflict") } : each)), grid.text("records.script.undo-refused"));
      showHistory();
    };
    grid.undo = () => back(done, undone, "records.script.undone");
    grid.redo = () => back(undone, done, "records.script.redone");

    // ---- Rows deleted and restored

    grid.markGone = (row, entry) => {
      row.gridBlock.changed = true;
      row.classList.add("gone");
      const cell = document.createElement("td");
      cell.colSpan = grid.columns.length + 2;
      const line = Object.assign(document.createElement("div"), { className: "row" });
      line.append(Object.assign(document.createElement("span"), { textContent: grid.text("records.script.row-deleted") }));
      if (entry) {
        const button = Object.assign(document.createElement("button"), { type: "button", className: "compact", textContent: grid.text("records.script.undo") });
        button.addEventListener("click", () => {
          const at = done.indexOf(entry);
          if (at < 0) return;
          done.push(...done.splice(at, 1));
          grid.undo();
        });
        line.append(button);
      }
      cell.append(line);
      row.replaceChildren(cell);
      grid.picked.delete(row.dataset.id);
      grid.repaint();
    };
    const removeRows = async (rows) => {
      const answer = await post("/delete-rows", rows);
      const body = await answer.json().catch(() => ({}));
      if (!answer.ok) {
        markErrors(body.errors ?? [{ row: "", message: body.detail ?? grid.text("records.script.save-failed") }], grid.text("records.script.nothing-deleted"));
        return { ok: false };
      }
      const entry = { kind: "delete", rows: body.deleted };
      body.deleted.forEach(({ id }) => { if (grid.rows.has(id)) grid.markGone(grid.rows.get(id), entry); });
      grid.showPicked();
      grid.say(grid.text("records.script.rows-deleted", { count: rows.length }));
      return { ok: true, entry };
    };
    const restoreRows = async (rows) => {
      const answer = await post("/restore-rows", rows);
      if (!answer.ok) {
        const body = await answer.json().catch(() => ({}));
        markErrors(body.errors ?? [{ row: "", message: body.detail ?? grid.text("records.script.save-failed") }], grid.text("records.script.undo-refused"));
        return { ok: false };
      }
      const body = globalThis.hirobaGrid.parseRows(await answer.text());
      const entry = { kind: "restore", rows: [...body.rows].map((row) => ({ id: row.dataset.id, version: Number(row.dataset.version) })) };
      [...body.rows].forEach((fresh) => { if (grid.rows.has(fresh.dataset.id)) grid.replace(grid.rows.get(fresh.dataset.id), fresh); });
      grid.say(grid.text("records.script.rows-restored", { count: rows.length }));
      return { ok: true, entry };
    };
    const deleteRows = async (ids) => {
      if (ids.length > maxChangedRows) {
        grid.say(grid.text("records.script.too-many-rows", { max: maxChangedRows }), true);
        return;
      }
      clearErrors();
      const result = await run(() => removeRows(ids.map((id) => ({ id, version: Number(grid.rows.get(id).dataset.version) }))));
      if (result.entry) {
        done.push(result.entry);
        undone.length = 0;
      }
      showHistory();
    };
    const askToDelete = (ids) => {
      const dialog = document.getElementById("delete-rows");
      dialog.querySelector("h2").textContent = grid.text("records.script.delete-rows", { count: ids.length });
      dialog.returnValue = "";
      dialog.addEventListener("close", () => { if (dialog.returnValue === "delete") deleteRows(ids); }, { once: true });
      dialog.showModal();
    };
    grid.table.addEventListener("submit", (event) => {
      if (!event.target.matches(".row-action form")) return;
      event.preventDefault();
      event.stopPropagation();
      deleteRows([event.target.closest("tr").dataset.id]);
    }, true);

    // ---- Editors

    const close = (editor) => {
      editors.delete(editor.cell);
      editor.cell.classList.remove("editing");
      if (editor.cell.pending) editor.cell.replaceWith(editor.cell.pending);
      else editor.cell.replaceChildren(...editor.before);
      grid.repaint();
    };
    const focusEditor = (editor) => {
      const input = editor.form.querySelector("input:not([type=hidden]), select, textarea");
      input?.focus();
      return input;
    };
    const showEditorError = (editor, message) => {
      editor.form.querySelector(".error")?.remove();
      const error = Object.assign(document.createElement("p"), { className: "error", textContent: message });
      error.setAttribute("role", "alert");
      editor.form.prepend(error);
      editor.form.querySelectorAll("input, select, textarea").forEach((each) => each.setAttribute("aria-invalid", "true"));
    };
    const read = (editor) => {
      const name = `v.${editor.name}`;
      const values = new FormData(editor.form).getAll(name).map(String);
      return values.length > 1 ? values.filter((each) => each).join("\n") : values[0] ?? "";
    };

    // chosen: by Enter or a button. Nothing else writes over what somebody else has written meanwhile.
    const commit = async (editor, { all = false, chosen = false } = {}) => {
      if (!editors.has(editor.cell) || editor.saving || (editor.isConflict && !chosen)) return;
      const text = read(editor);
      if (text === editor.initial && !editor.isBulk && !all && !editor.failed) {
        close(editor);
        return;
      }
      editor.saving = true;
      const { top, bottom, left, right } = grid.rectangle;
      const at = columnOf(editor.name);
      let ids = [editor.id];
      if (grid.drafts.isDraft(editor.id)) {
        close(editor);
        await grid.change([{ id: editor.id, name: editor.name, text }], "");
        return;
      }
      if (editor.isBulk) ids = [...grid.picked];
      else if (all && at >= left && at <= right) ids = (await grid.between(top, bottom)).map((row) => row?.dataset.id);
      if (ids.length > 1 || editor.isBulk) {
        close(editor);
        await grid.change(ids.map((id) => ({ id, name: editor.name, text })));
        return;
      }
      editor.cell.classList.add("saving");
      const result = await save([{ id: editor.id, name: editor.name, text, base: editor.base }], done, () => close(editor));
      editor.saving = false;
      editor.cell.classList.remove("saving");
      if (result.ok) undone.length = 0;
      else {
        const [error] = result.errors;
        editor.failed = true;
        editor.isConflict = Boolean(result.isConflict);
        if (result.isConflict) editor.base = error.now;
        showEditorError(editor, result.isConflict ? `${error.message} ${grid.text("records.script.conflict-keys")}` : error.message);
        if (editors.size === 1 && grid.rows.has(editor.id)) {
          grid.select(grid.indexOf(grid.rows.get(editor.id)), columnOf(editor.name));
          focusEditor(editor);
        }
      }
      showHistory();
    };

    const editorKeys = (editor, event) => {
      const { key, shiftKey, target } = event;
      if (key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        close(editor);
        grid.table.focus({ preventScroll: true });
      } else if (key === "Enter" && target.tagName !== "BUTTON" && !event.defaultPrevented && (event.ctrlKey || event.metaKey || !(shiftKey && target.tagName === "TEXTAREA"))) {
        event.preventDefault();
        leave(editor, { down: shiftKey ? -1 : 1, all: event.ctrlKey || event.metaKey, chosen: true });
      } else if (key === "Tab" && editor.isTyped) {
        event.preventDefault();
        leave(editor, { right: shiftKey ? -1 : 1 });
      }
    };
    // Saves, and goes on to the next cell at once: an error brings the editor back.
    const leave = (editor, { down = 0, right = 0, all = false, chosen = false }) => {
      const saved = commit(editor, { all, chosen });
      if (!editor.failed && !all) {
        const { row, column } = grid.range;
        grid.select(row + down, column + right);
      }
      if (!editor.failed) grid.table.focus({ preventScroll: true });
      return saved.then(() => { if (editor.failed && !editors.has(editor.cell)) grid.table.focus({ preventScroll: true }); });
    };

    const begin = (editor, form) => {
      const { cell } = editor;
      editor.form = form;
      editor.before = [...cell.childNodes];
      editors.set(cell, editor);
      cell.classList.add("editing");
      cell.replaceChildren(form);
      cell.querySelectorAll("[data-picker]").forEach((box) => globalThis.hirobaRecords.attachPicker(box));
      editor.initial = read(editor);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        event.stopPropagation();
        leave(editor, { chosen: true });
      });
      form.addEventListener("keydown", (event) => editorKeys(editor, event));
      form.addEventListener("focusout", (event) => {
        if (!form.contains(event.relatedTarget) && document.hasFocus() && !editor.saving) setTimeout(() => { if (!form.contains(document.activeElement)) commit(editor); });
      });
      form.querySelector("[data-cancel-cell]")?.addEventListener("click", () => {
        close(editor);
        grid.table.focus({ preventScroll: true });
      });
      grid.placeHandle();
    };

    const typedForm = (column) => {
      const form = document.createElement("form");
      const input = document.createElement(column.typed === "number" ? "input" : "textarea");
      if (column.typed === "number") Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off" });
      else input.rows = 1;
      input.name = `v.${column.name}`;
      input.setAttribute("aria-label", column.label);
      form.append(input);
      return { form, input };
    };

    // Opens the editor of a cell. Texts and numbers are typed at once; others have an editor that the server renders.
    grid.edit = async (row, column, { typed = null, isBulk = false } = {}) => {
      const cell = grid.cellAt(row, column);
      if (!cell || editors.has(cell)) return;
      if (grid.columns[column].readOnly) {
        if (grid.mayEdit) grid.say(grid.columns[column].readOnlyReason ?? grid.text("records.script.read-only"), true);
        return;
      }
      const tr = grid.rowAt(row);
      const editor = { cell, id: tr.dataset.id, name: grid.columns[column].name, base: valueOf(cell), isBulk, isTyped: false };
      if ((grid.columns[column].typed && !cell.dataset.long) || grid.drafts.isDraft(editor.id)) {
        const { form, input } = typedForm(grid.columns[column]);
        input.value = editor.base;
        editor.isTyped = true;
        begin(editor, form);
        if (typed !== null) input.value = typed;
        input.focus();
        if (typed === null) input.select();
        return;
      }
      const answer = await fetch(`${tr.dataset.row}/cell/${encodeURIComponent(editor.name)}`, { headers: { "HX-Request": "true", Accept: "text/html" } }).catch(() => null);
      if (!answer?.ok || editors.has(cell)) {
        if (!answer?.ok) grid.say(grid.text("records.script.save-failed"), true);
        return;
      }
      const form = globalThis.hirobaGrid.parseRows(`<tr>${await answer.text()}</tr>`).querySelector("form");
      // The row may have been drawn again meanwhile, as after a change that was just saved.
      const shown = cellOf(editor.id, editor.name);
      if (!shown || editors.has(shown)) return;
      editor.cell = shown;
      if (form.querySelector("input[type=file]")) {
        // Files go with the form itself, and the row is read again.
        shown.classList.add("editing");
        shown.replaceChildren(form);
        globalThis.htmx.process(shown);
        shown.addEventListener("htmx:afterRequest", () => grid.fetchRows([editor.id]).then((fresh) => {
          shown.classList.remove("editing");
          if (fresh.has(editor.id)) grid.replace(grid.rows.get(editor.id), fresh.get(editor.id));
        }), { once: true });
        return;
      }
      begin(editor, form);
      const input = focusEditor(editor);
      if (typed && input?.type === "search") {
        input.value = typed;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      } else input?.select?.();
    };

    // ---- Keys and mouse

    grid.table.addEventListener("dblclick", (event) => {
      const at = grid.place(event.target);
      if (at && !event.target.closest("a, form")) grid.edit(at.row, at.column);
    });
    // A finger has no double click: touching the active cell again opens it.
    let touched = null;
    grid.table.addEventListener("click", (event) => {
      const at = grid.place(event.target);
      if (!at || event.target.closest("a, form") || event.pointerType !== "touch") return;
      if (touched === at.cell) grid.edit(at.row, at.column);
      touched = at.cell;
    });
    grid.table.addEventListener("keydown", (event) => {
      if (event.target !== grid.table) return;
      const { key } = event;
      const command = event.ctrlKey || event.metaKey;
      const { row, column } = grid.range;
      if (!grid.mayEdit) return;
      if (command && !event.altKey && key.toLowerCase() === "z") {
        event.preventDefault();
        if (event.shiftKey) grid.redo();
        else grid.undo();
      } else if (command && key.toLowerCase() === "y") {
        event.preventDefault();
        grid.redo();
      } else if ((key === "Enter" && !command) || key === "F2") {
        event.preventDefault();
        grid.edit(row, column);
      } else if (key.length === 1 && !command && !event.altKey && !(key === " " && event.shiftKey)) {
        event.preventDefault();
        grid.edit(row, column, { typed: key });
      }
    });
    document.getElementById("grid-actions")?.addEventListener("click", (event) => {
      const kind = event.target.closest("[data-grid]")?.dataset.grid;
      if (kind === "undo") grid.undo();
      if (kind === "redo") grid.redo();
    });
    const bar = document.getElementById("grid-bulk");
    bar?.addEventListener("click", (event) => {
      const kind = event.target.closest("[data-grid]")?.dataset.grid;
      if (kind === "unpick") grid.unpick();
      if (kind === "delete-rows") askToDelete([...grid.picked]);
      if (kind === "edit-rows") {
        const first = [...grid.picked].map((id) => grid.indexOf(grid.rows.get(id))).sort((a, b) => a - b)[0];
        grid.select(first, grid.range.column);
        grid.edit(first, grid.range.column, { isBulk: true });
      }
    });
    grid.hooks.selection.push(() => {
      const button = bar?.querySelector("[data-grid=edit-rows]");
      if (!button) return;
      button.textContent = grid.text("records.script.edit-rows", { column: grid.columns[grid.range.column].label });
      button.disabled = grid.columns[grid.range.column].readOnly;
    });
    // What is typed and not saved is not left without a question, neither by the browser nor by a link within the page.
    const isUnsaved = () => grid.table.isConnected
      && (grid.drafts.isFilled || [...editors.values()].some((editor) => editor.saving || editor.failed || read(editor) !== editor.initial));
    addEventListener("beforeunload", (event) => { if (isUnsaved()) event.preventDefault(); });
    const guard = (event) => {
      if (!grid.table.isConnected) document.removeEventListener("htmx:confirm", guard);
      else if (event.detail.target === document.body && isUnsaved()) {
        event.preventDefault();
        // A cell that was just left is saved first (its commit is on a timer), and only what is refused is asked about.
        new Promise((resolve) => { setTimeout(resolve); }).then(grid.settled).then(() => { if (!isUnsaved() || confirm(grid.text("records.script.leave-unsaved"))) event.detail.issueRequest(true); });
      }
    };
    document.addEventListener("htmx:confirm", guard);
  });
})();
