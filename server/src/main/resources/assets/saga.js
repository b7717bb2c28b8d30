"use strict";

// Pages work without this file; it keeps sagas up to date while somebody looks at them.
(() => {
  const listMs = 2000;
  const clockMs = 10_000;
  const over = ["COMPLETED", "FAILED", "CANCELLED"];
  let source = null;
  let timers = [];

  const page = async (url) => {
    const answer = await fetch(url, { headers: { Accept: "text/html", "HX-Request": "true" } });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  const put = (old, fresh) => {
    const open = [...old.querySelectorAll("details[open]")].map((each) => each.id);
    const focus = old.contains(document.activeElement) ? document.activeElement.closest("[id]")?.id : null;
    old.replaceWith(fresh);
    open.forEach((id) => { if (id) document.getElementById(id)?.setAttribute("open", ""); });
    if (focus) (document.querySelector(`#${CSS.escape(focus)} > summary`) ?? document.getElementById(focus))?.focus({ preventScroll: true });
    globalThis.htmx?.process(fresh);
  };

  // The timeline always, and the rest only where it has changed: what has a role is read out whenever it is put anew, and
  // somebody may be typing where the buttons are.
  const refreshSaga = async () => {
    const state = document.getElementById("saga-state");
    if (!state) return;
    try {
      const fresh = await page(state.dataset.page);
      const next = fresh.getElementById("saga-state");
      if (!next || !state.isConnected) return;
      for (const id of ["saga-standing", "saga-alerts"]) {
        const old = document.getElementById(id);
        const other = fresh.getElementById(id);
        if (old.innerHTML !== other.innerHTML) old.replaceChildren(...other.childNodes);
      }
      put(document.getElementById("saga-timeline"), fresh.getElementById("saga-timeline"));
      Object.assign(state.dataset, next.dataset);
      if (!next.dataset.events) delete state.dataset.events;
      const actions = document.getElementById("saga-actions");
      const others = fresh.getElementById("saga-actions");
      if (actions.dataset.can !== others.dataset.can) put(actions, others);
      if (!next.dataset.events) stop();
    } catch {
      // The next change, or the next look at the clock, tries again.
    }
  };

  let due = null;
  const soon = () => {
    due ??= setTimeout(() => {
      due = null;
      refreshSaga();
    }, 80);
  };

  const watch = (state) => {
    source = new EventSource(`${state.dataset.events}?lastEventId=${state.dataset.attempts}`);
    source.addEventListener("step", soon);
    source.addEventListener("saga", ({ data }) => {
      const { status, updatedAt } = JSON.parse(data);
      if (over.includes(status)) source.close();
      if (Date.parse(updatedAt) !== Number(document.getElementById("saga-state")?.dataset.seen)) soon();
    });
    source.addEventListener("full", () => source.close());
    timers.push(setInterval(refreshSaga, clockMs));
  };

  const refreshList = async () => {
    const list = document.querySelector("[data-sagas=live] #items");
    if (!list || list.contains(document.activeElement) && document.activeElement.matches(".more a")) return;
    const rows = list.querySelectorAll("li[id]").length;
    const url = new URL(location.href);
    url.searchParams.set("limit", Math.min(100, Math.max(30, rows)));
    try {
      const fresh = (await page(url)).getElementById("items");
      if (!fresh || !list.isConnected) return;
      const found = [...fresh.querySelectorAll("li[id]")];
      if (!found.length) {
        list.replaceChildren(...fresh.children);
        return;
      }
      // What does not belong here any more, as far as the answer reaches; ids are in the order of creation.
      const known = new Set(found.map((row) => row.id));
      const all = !fresh.querySelector(".more");
      list.querySelectorAll("li[id]").forEach((row) => {
        if (!known.has(row.id) && (all || row.id > found.at(-1).id)) row.remove();
      });
      let place = list.firstElementChild;
      for (const row of found) {
        const old = document.getElementById(row.id);
        if (!old) {
          row.classList.add("fresh");
          list.insertBefore(row, place);
          list.querySelector(".empty")?.remove();
          globalThis.htmx?.process(row);
          continue;
        }
        if (old.innerHTML !== row.innerHTML) old.querySelector("a").innerHTML = row.querySelector("a").innerHTML;
        place = old.nextElementSibling;
      }
    } catch {
      // The next look tries again.
    }
  };

  const number = (field) => {
    const gutter = field.parentElement.querySelector(".gutter");
    const marked = new Set(JSON.parse(field.dataset.marked));
    const draw = () => {
      gutter.replaceChildren(...field.value.split("\n").flatMap((_, index) => {
        const line = document.createElement("span");
        line.textContent = index + 1;
        line.className = marked.has(index + 1) ? "marked" : "";
        return [line, "\n"];
      }));
    };
    field.addEventListener("input", draw);
    field.addEventListener("scroll", () => { gutter.scrollTop = field.scrollTop; });
    draw();
  };

  const stop = () => {
    source?.close();
    source = null;
    timers.forEach(clearInterval);
    timers = [];
  };

  const start = () => {
    stop();
    if (document.hidden) return;
    const state = document.querySelector("#saga-state[data-events]");
    if (state) watch(state);
    if (document.querySelector("[data-sagas=live]")) timers.push(setInterval(refreshList, listMs));
    const field = document.querySelector("textarea[data-marked]");
    if (field && !field.numbered) {
      field.numbered = true;
      number(field);
    }
  };

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
    else {
      start();
      refreshSaga();
    }
  });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) start(); });
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (target === document.body || target.id === "sagas") start();
  });
})();
