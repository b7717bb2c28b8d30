"use strict";

// Pages work without this file; it keeps sagas up to date while somebody looks at them.
(() => {
  const listMs = 2000;
  const sagaMs = 10_000;
  const totalsMs = 30_000;
  const finalStatuses = ["COMPLETED", "FAILED", "CANCELLED"];
  let source = null;
  let timers = [];
  let counted = Date.now();

  const fetchPage = async (url, headers = {}) => {
    const answer = await fetch(url, { headers: { Accept: "text/html", "HX-Request": "true", ...headers } });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  const replaceKeepingState = (old, fresh) => {
    const open = [...old.querySelectorAll("details[open]")].map((each) => each.id);
    const focus = old.contains(document.activeElement) ? document.activeElement.closest("[id]")?.id : null;
    old.replaceWith(fresh);
    open.forEach((id) => { if (id) document.getElementById(id)?.setAttribute("open", ""); });
    if (focus) (document.querySelector(`#${CSS.escape(focus)} > summary`) ?? document.getElementById(focus))?.focus({ preventScroll: true });
    globalThis.htmx?.process(fresh);
  };

  // The timeline is always replaced, the rest only if it changed: screen readers announce a status region whenever it is
  // replaced, and somebody may be typing into a form among the actions.
  const refreshSaga = async () => {
    const state = document.getElementById("saga-state");
    if (!state) return;
    try {
      const fresh = await fetchPage(state.dataset.page);
      const next = fresh.getElementById("saga-state");
      if (!next || !state.isConnected) return;
      for (const id of ["saga-status", "saga-alerts", "saga-children"]) {
        const old = document.getElementById(id);
        const other = fresh.getElementById(id);
        if (old.innerHTML !== other.innerHTML) old.replaceChildren(...other.childNodes);
      }
      replaceKeepingState(document.getElementById("saga-timeline"), fresh.getElementById("saga-timeline"));
      document.querySelector("#saga-graph .graph")?.replaceChildren(...fresh.querySelectorAll("#saga-graph .graph > *"));
      Object.assign(state.dataset, next.dataset);
      if (!next.dataset.events) delete state.dataset.events;
      for (const id of ["saga-approvals", "saga-actions"]) {
        const actions = document.getElementById(id);
        const others = fresh.getElementById(id);
        if (actions.dataset.can !== others.dataset.can) replaceKeepingState(actions, others);
      }
      if (!next.dataset.events) stop();
    } catch {
      // The next event or the next interval tries again.
    }
  };

  let due = null;
  const scheduleRefresh = () => {
    due ??= setTimeout(() => {
      due = null;
      refreshSaga();
    }, 80);
  };

  const watch = (state) => {
    source = new EventSource(`${state.dataset.events}?lastEventId=${state.dataset.attempts}`);
    source.addEventListener("step", scheduleRefresh);
    source.addEventListener("saga", ({ data }) => {
      const { status, updatedAt } = JSON.parse(data);
      if (finalStatuses.includes(status)) source.close();
      if (Date.parse(updatedAt) !== Number(document.getElementById("saga-state")?.dataset.seen)) scheduleRefresh();
    });
    source.addEventListener("full", () => source.close());
    timers.push(setInterval(refreshSaga, sagaMs));
  };

  const refreshList = async () => {
    const list = document.querySelector("[data-sagas=live] #items");
    if (!list || list.contains(document.activeElement) && document.activeElement.matches(".more a")) return;
    const rows = list.querySelectorAll("li[id]").length;
    const url = new URL(location.href);
    url.searchParams.set("limit", Math.min(100, Math.max(30, rows)));
    try {
      // Totals cost more than the list: they are counted anew every half minute.
      const counts = Date.now() - counted >= totalsMs;
      if (counts) counted = Date.now();
      const page = await fetchPage(url, counts ? { "HX-Target": "sagas" } : {});
      const fresh = page.getElementById("items");
      if (!fresh || !list.isConnected) return;
      const totals = document.getElementById("saga-totals");
      const others = page.getElementById("saga-totals");
      if (totals && others && !totals.contains(document.activeElement)) totals.replaceWith(others);
      const found = [...fresh.querySelectorAll("li[id]")];
      if (!found.length) {
        list.replaceChildren(...fresh.children);
        return;
      }
      // Removes rows that no longer match, as far as the response reaches; ids are ordered by creation.
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
      // The next interval tries again.
    }
  };

  const addLineNumbers = (field) => {
    const gutter = field.parentElement.querySelector(".gutter");
    const draw = () => {
      const marked = new Set(JSON.parse(field.dataset.marked));
      gutter.replaceChildren(...field.value.split("\n").flatMap((_, index) => {
        const line = document.createElement("span");
        line.textContent = index + 1;
        line.className = marked.has(index + 1) ? "marked" : "";
        return [line, "\n"];
      }));
    };
    field.addEventListener("input", draw);
    field.addEventListener("scroll", () => { gutter.scrollTop = field.scrollTop; });
    field.addEventListener("marked", draw);
    draw();
  };

  // The lines that the last check found faults in.
  const markLines = (draft) => {
    const field = document.querySelector("textarea[data-marked]");
    const found = draft.querySelector("[data-lines]")?.dataset.lines;
    if (!field || !found) return;
    field.dataset.marked = found;
    field.toggleAttribute("aria-invalid", draft.querySelector(".error-list, .error") !== null);
    field.dispatchEvent(new Event("marked"));
  };

  document.addEventListener("click", (event) => {
    const line = event.target.closest?.("#draft [data-line]");
    const field = document.querySelector("textarea[data-marked]");
    if (!line || !field) return;
    event.preventDefault();
    const lines = field.value.split("\n");
    const index = Number(line.dataset.line) - 1;
    const begin = lines.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0);
    field.focus();
    field.setSelectionRange(begin, begin + (lines[index]?.length ?? 0));
    field.scrollTop = Math.max(0, (index - 5) * (field.scrollHeight / lines.length));
  });

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
      addLineNumbers(field);
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
    if (target.id === "draft") markLines(target);
    if (target === document.body || target.id === "sagas") start();
  });
})();
