"use strict";

// Typing with an input method (Japanese, Chinese, Korean) straight into the active cell of the grid. Such a method writes into fields
// alone, so one that is not seen has the focus instead of the table; it gives the table its keys, and the editor of the cell what was
// composed. Others keep the table, which screen readers know best.
(() => {
  const composing = /^(ja|zh|ko)\b/;
  const isComposed = () => [document.documentElement.lang, ...navigator.languages].some((each) => composing.test(each));

  globalThis.hirobaGrid.extend((grid) => {
    if (!grid.mayEdit || !isComposed()) return;
    const { table, box } = grid;
    const input = document.createElement("input");
    Object.assign(input, { type: "text", className: "grid-input", autocomplete: "off", spellcheck: false });
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-label", table.dataset.label);
    input.setAttribute("aria-haspopup", "grid");
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-controls", table.id);
    box.prepend(input);
    table.tabIndex = -1;
    grid.input = input;

    // Something is selected, so that browsers copy and cut.
    const clear = () => {
      input.value = " ";
      if (document.activeElement === input) input.select();
    };
    const place = () => {
      const cell = grid.active;
      if (table.hasAttribute("aria-activedescendant")) input.setAttribute("aria-activedescendant", "active-cell");
      else input.removeAttribute("aria-activedescendant");
      if (!cell?.isConnected) return;
      input.style.left = `${cell.offsetLeft}px`;
      input.style.top = `${cell.offsetTop}px`;
      input.style.width = `${cell.offsetWidth}px`;
      input.style.height = `${cell.offsetHeight}px`;
    };
    const take = () => {
      const typed = input.value.trim();
      input.classList.remove("composing");
      clear();
      if (typed) grid.edit(grid.range.row, grid.range.column, { typed });
    };

    table.addEventListener("focus", () => input.focus({ preventScroll: true }));
    input.addEventListener("focus", () => {
      table.classList.add("has-focus");
      place();
      clear();
    });
    input.addEventListener("blur", () => {
      table.classList.remove("has-focus");
      input.classList.remove("composing");
    });
    input.addEventListener("keydown", (event) => {
      // The input method has this key.
      if (event.isComposing || event.keyCode === 229) return;
      const passed = new KeyboardEvent("keydown", event);
      if (!table.dispatchEvent(passed)) event.preventDefault();
    });
    input.addEventListener("compositionstart", () => {
      place();
      if (!grid.columns[grid.range.column].readOnly) input.classList.add("composing");
    });
    input.addEventListener("compositionend", take);
    input.addEventListener("input", (event) => { if (!event.isComposing && !input.classList.contains("composing")) take(); });
    grid.hooks.selection.push(place);
    clear();
  });
})();
