"use strict";

// Rows of the grid that are no records yet: pasted beyond the last record, or begun below it. All of them are sent together, and with
// the changes of records that were pasted with them; until nothing is wrong with any of them they stay, to be corrected where they are.
(() => {
  const maxAskedRows = 20;

  globalThis.hirobaGrid.extend((grid) => {
    const { table } = grid;
    const drafts = new Map(); // texts by attribute, by the id of the draft
    const waiting = new Map(); // changes of records, by record and attribute
    const records = new Map(); // the ids of the records that drafts have become
    let number = 0;
    let key = "";
    grid.mayCreate = table.dataset.create === "true";
    const isDraft = (id) => drafts.has(id);

    const bar = Object.assign(document.createElement("div"), { className: "row", id: "grid-drafts", hidden: true });
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", grid.text("records.script.draft"));
    const note = Object.assign(document.createElement("span"), { className: "small" });
    const button = (kind, words) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className: "compact", textContent: grid.text(words) });
      made.addEventListener("click", () => {
        if (kind === "save") grid.attempt(save());
        else discard();
        table.focus({ preventScroll: true });
      });
      return made;
    };
    bar.append(note, button("save", "records.script.drafts-save"), button("discard", "records.script.drafts-discard"));
    document.getElementById("grid-status")?.after(bar);
    const filled = () => [...drafts].filter(([, texts]) => texts.size);
    const showBar = () => {
      const count = filled().length;
      bar.hidden = !count;
      note.textContent = grid.text("records.script.drafts", { count });
    };

    const show = (id, name) => {
      const cell = grid.rows.get(id).cells[grid.columns.findIndex((column) => column.name === name) + 1];
      const text = drafts.get(id).get(name) ?? "";
      cell.dataset.value = text;
      cell.textContent = text;
    };
    const element = (id) => {
      const row = document.createElement("tr");
      row.className = "draft";
      row.dataset.id = id;
      const head = document.createElement("th");
      head.scope = "row";
      head.className = "open";
      head.append(Object.assign(document.createElement("span"), { textContent: "+", title: grid.text("records.script.draft") }));
      row.append(head);
      grid.columns.forEach((column) => {
        const cell = row.insertCell();
        cell.className = `${column.typed === "number" ? "number" : "text"}`;
        cell.dataset.attr = column.name;
        cell.dataset.value = "";
      });
      row.insertCell().className = "row-action";
      return row;
    };
    const add = async (count) => {
      const rows = Array.from({ length: count }, () => element(`new-${++number}`));
      rows.forEach((row) => drafts.set(row.dataset.id, new Map()));
      key = crypto.randomUUID();
      await grid.append(rows);
      return rows.map((row) => row.dataset.id);
    };
    const remove = (ids) => {
      grid.drop(ids.map((id) => grid.rows.get(id)));
      ids.forEach((id) => drafts.delete(id));
      showBar();
    };
    const discard = async () => {
      await grid.settled();
      if (!drafts.size) return;
      waiting.clear();
      remove([...drafts.keys()]);
      grid.clearErrors();
      grid.say("");
    };

    // The changes of a request with those that wait if it is about any of these, and the drafts to create.
    const merged = (changes) => {
      const place = ({ id, name }) => `${id} ${name}`;
      if (!changes.some((change) => isDraft(change.id) || waiting.has(place(change)))) return { changes, created: [] };
      for (const change of changes) {
        if (isDraft(change.id)) {
          if (change.text) drafts.get(change.id).set(change.name, change.text);
          else drafts.get(change.id).delete(change.name);
          show(change.id, change.name);
        } else waiting.set(place(change), change);
      }
      showBar();
      return {
        changes: [...waiting.values()].filter(({ id }) => grid.rows.has(id)),
        created: filled().map(([id, texts]) => ({ id, typed: Object.fromEntries(texts) })),
      };
    };

    // The records that drafts have become take their places. One that may not be read is not shown.
    const accept = (created, sent, rows) => {
      const fresh = new Map([...rows].map((row) => [row.dataset.id, row]));
      sent.forEach(({ id }, at) => {
        const record = fresh.get(created[at].id);
        if (!record) {
          remove([id]);
          return;
        }
        const row = grid.rows.get(id);
        drafts.delete(id);
        records.set(id, created[at].id);
        grid.rename(row, record);
        grid.hooks.renamed(id, created[at].id);
      });
      waiting.clear();
      document.getElementById("no-records")?.remove();
      grid.hooks.created?.();
      showBar();
    };

    const save = async () => {
      const [[id, texts]] = filled();
      const [[name, text]] = texts;
      if (await grid.change([{ id, name, text }], "")) grid.say(grid.text("records.script.drafts-added"));
    };

    // Whether so many records are to be added, which is asked if they are many.
    const agreed = (count) => new Promise((resolve) => {
      const dialog = document.getElementById("add-rows");
      if (count <= maxAskedRows) {
        resolve(true);
        return;
      }
      dialog.querySelector("h2").textContent = grid.text("records.script.add-rows", { count });
      dialog.returnValue = "";
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "add"), { once: true });
      dialog.showModal();
    });

    const recordOf = (id) => records.get(id) ?? id;

    grid.drafts = { isDraft, recordOf, add, discard, merged, accept, agreed, get key() { return key; }, get isEmpty() { return !drafts.size; }, get isFilled() { return filled().length > 0; } };

    // Going down from the last row begins a new one, which is gone again when it is left empty.
    table.addEventListener("keydown", (event) => {
      if (event.target !== table || !grid.mayCreate) return;
      const { row, column } = grid.range;
      if (event.key === "ArrowDown" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !grid.tail && row >= grid.known - 1) {
        const last = grid.rowAt(row);
        if (last && isDraft(last.dataset.id) && !drafts.get(last.dataset.id).size) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        grid.attempt(add(1).then(() => grid.select(grid.known - 1, column)));
      } else if (event.key === "Escape" && filled().length) discard();
    }, true);
    grid.hooks.selection.push(() => {
      const { top, bottom } = grid.rectangle;
      const left = [...drafts].filter(([id, texts]) => {
        const at = grid.indexOf(grid.rows.get(id));
        return !texts.size && (at < top || at > bottom) && !grid.rows.get(id).querySelector(".editing, .saving");
      });
      if (left.length) remove(left.map(([id]) => id));
    });
    // A grid without records has a row to begin with.
    if (grid.mayCreate && !grid.known) grid.attempt(add(1).then(() => grid.select(0, 0, { quiet: true })));
  });
})();
