"use strict";

// The columns of the grid: their widths and their order, by mouse and keyboard. A view keeps them for all who see it if one may
// change it; otherwise the browser does.
(() => {
  const narrowest = 48;
  const widest = 1000;
  const step = 16;

  globalThis.hirobaGrid.extend((grid) => {
    const { table } = grid;
    const cols = [...table.querySelectorAll("colgroup col")];
    const heads = [...table.tHead.rows[0].cells];
    const view = new URLSearchParams(grid.query).get("view") ?? "";
    const key = `hiroba.grid ${grid.path} ${view}`;
    const stored = () => {
      try {
        return JSON.parse(localStorage.getItem(key)) ?? {};
      } catch {
        return {};
      }
    };
    const store = (change) => {
      try {
        localStorage.setItem(key, JSON.stringify({ ...stored(), ...change }));
      } catch {
        // A full or forbidden storage forgets the widths.
      }
    };

    table.classList.add("natural");
    const widths = heads.map((head) => head.offsetWidth);
    table.classList.remove("natural");
    const kept = table.dataset.viewColumns ? {} : stored().widths ?? {};
    heads.forEach((head, at) => { widths[at] = kept[head.dataset.column] ?? (Number(cols[at].getAttribute("width")) || Math.min(widths[at], 352)); });
    widths[0] = Math.max(widths[0], 64);

    // As long as nobody has set a width, columns share the room that is left.
    let isFluid = !Object.keys(kept).length && !cols.some((col) => col.hasAttribute("width"));
    const shown = () => {
      const room = grid.box.clientWidth - widths.reduce((sum, width) => sum + width, 0);
      if (!isFluid || room <= 0) return widths;
      const own = widths.slice(1, -1).reduce((sum, width) => sum + width, 0);
      return widths.map((width, at) => (at === 0 || at === widths.length - 1 ? width : width + Math.floor((room * width) / own)));
    };
    const settle = () => {
      shown().forEach((width, at) => { widths[at] = width; });
      isFluid = false;
    };

    // Without fixed widths the columns would move with the rows that are in view.
    const apply = () => {
      table.classList.add("fixed");
      const all = shown();
      cols.forEach((col, at) => { col.style.width = `${all[at]}px`; });
      const total = all.reduce((sum, width) => sum + width, 0);
      table.style.width = `${total}px`;
      let left = 0;
      heads.forEach((head, at) => {
        head.gridLeft = head.matches(".open, .frozen") ? left : null;
        if (head.gridLeft !== null) left += all[at];
      });
      placeFrozen();
      grid.placeHandle();
    };
    const frozen = heads.map((head, at) => ({ head, at })).filter(({ head }) => head.classList.contains("frozen"));
    const placeFrozen = (placed = null) => {
      if (!frozen.length) return;
      for (const row of placed ? [placed] : table.rows) {
        if (row.cells.length !== heads.length) continue;
        for (const { head, at } of frozen) {
          row.cells[at].classList.add("frozen");
          row.cells[at].style.left = `${head.gridLeft}px`;
        }
      }
    };
    grid.hooks.rows.push(placeFrozen);

    const order = () => grid.columns.map(({ name }) => name);
    const keep = async (names) => {
      settle();
      const columns = names.map((name) => ({ name, width: Math.round(widths[heads.findIndex((head) => head.dataset.column === name)]) }));
      if (!table.dataset.viewColumns) {
        store({ widths: Object.fromEntries(columns.map(({ name, width }) => [name, width])) });
        return true;
      }
      // One after the other: each has the version that the one before led to.
      keeping = keeping.then(() => send(columns));
      return keeping;
    };
    let keeping = Promise.resolve(true);
    const send = async (columns) => {
      const version = Number(table.dataset.viewVersion);
      const answer = await fetch(table.dataset.viewColumns, {
        method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify({ columns, version }),
      }).catch(() => null);
      if (answer?.ok) table.dataset.viewVersion = (await answer.json()).version;
      else grid.say(grid.text(answer?.status === 412 ? "records.script.columns-conflict" : "records.script.columns-failed"), true);
      return Boolean(answer?.ok);
    };

    const resize = (at, width) => {
      settle();
      widths[at] = Math.max(narrowest, Math.min(widest, width));
      apply();
    };

    // Another order is another page: of the view as it is kept, or with the columns in the address.
    const move = async (from, to) => {
      if (to < 0 || to >= grid.columns.length || from === to) return;
      const names = order();
      names.splice(to, 0, ...names.splice(from, 1));
      const query = new URLSearchParams(location.search);
      query.delete("col");
      if (table.dataset.viewColumns) {
        if (!await keep(names)) return;
      } else {
        names.forEach((name) => query.append("col", name));
        await keep(names);
        if (!view) store({ order: names });
      }
      sessionStorage.setItem("hiroba.grid-focus", names[to]);
      location.assign(`${grid.path}${query.size ? `?${query}` : ""}`);
    };

    grid.columns.forEach((column, place) => {
      const { head } = column;
      const at = place + 1;
      const grip = Object.assign(document.createElement("span"), { className: "resize" });
      grip.setAttribute("aria-hidden", "true");
      head.append(grip);
      const link = head.querySelector("a");
      link.draggable = false;
      link.setAttribute("aria-keyshortcuts", "Shift+ArrowLeft Shift+ArrowRight Alt+Shift+ArrowLeft Alt+Shift+ArrowRight");

      let saving = 0;
      link.addEventListener("keydown", (event) => {
        if (!event.shiftKey || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        const direction = event.key === "ArrowLeft" ? -1 : 1;
        if (event.altKey) {
          move(place, place + direction);
          return;
        }
        resize(at, shown()[at] + direction * step);
        clearTimeout(saving);
        saving = setTimeout(() => keep(order()), 500);
      });

      head.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        const start = event.clientX;
        const isGrip = event.target === grip;
        const width = shown()[at];
        let target = null;
        let isDragged = false;
        if (isGrip) event.preventDefault();
        const moved = ({ clientX }) => {
          if (isGrip) {
            resize(at, width + clientX - start);
            isDragged = true;
            return;
          }
          if (!isDragged && Math.abs(clientX - start) < 8) return;
          if (event.pointerType === "touch") return;
          isDragged = true;
          table.classList.add("moving");
          heads.forEach((each) => each.classList.remove("drop-before", "drop-after"));
          target = grid.columns.findIndex(({ head: other }) => {
            const edge = other.getBoundingClientRect();
            return clientX >= edge.left && clientX < edge.right;
          });
          if (target >= 0 && target !== place) grid.columns[target].head.classList.add(target > place ? "drop-after" : "drop-before");
        };
        document.addEventListener("pointermove", moved);
        document.addEventListener("pointerup", () => {
          document.removeEventListener("pointermove", moved);
          table.classList.remove("moving");
          heads.forEach((each) => each.classList.remove("drop-before", "drop-after"));
          if (!isDragged) return;
          // The click that ends a drag does not sort.
          const swallow = (click) => {
            click.preventDefault();
            click.stopPropagation();
          };
          head.addEventListener("click", swallow, true);
          setTimeout(() => head.removeEventListener("click", swallow, true));
          if (isGrip) keep(order());
          else if (target !== null && target >= 0) move(place, target);
        }, { once: true });
      });
    });

    apply();
    new ResizeObserver(() => { if (isFluid && table.isConnected) apply(); }).observe(grid.box);
    const moved = sessionStorage.getItem("hiroba.grid-focus");
    sessionStorage.removeItem("hiroba.grid-focus");
    grid.columns.find(({ name }) => name === moved)?.head.querySelector("a").focus();

    // The order that this browser keeps, for a page that says nothing of columns.
    const wanted = stored().order;
    if (!table.dataset.viewColumns && !view && wanted && !location.search && order().length > 1) {
      const names = [...wanted.filter((name) => order().includes(name)), ...order().filter((name) => !wanted.includes(name))];
      if (names.join("\n") !== order().join("\n")) location.replace(`${grid.path}?${new URLSearchParams(names.map((name) => ["col", name]))}`);
    }
  });
})();
