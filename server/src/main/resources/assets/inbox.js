"use strict";

// Pages work without this file; it adds keyboard shortcuts, undo and live updates.
(() => {
  const maxShown = 99;
  const toastMs = 10_000;
  const refreshDelayMs = 300;
  const byId = (id) => document.getElementById(id);
  const form = () => byId("items-form");
  const list = () => byId("items");
  const rows = () => [...document.querySelectorAll("#items > [data-item]")];
  const isActive = (row) => !row.matches("[data-leaving], .stale");
  const row = (id) => byId(`item-${id}`);
  const ids = (text) => (text ? text.split(" ") : []);

  // --- Counts

  const showCounts = (counts) => {
    for (const [name, count] of Object.entries(counts)) {
      document.querySelectorAll(`[data-count-of="${name}"]`).forEach((each) => { each.textContent = count; });
    }
    const todo = Number(counts.todo);
    const number = todo > maxShown ? `${maxShown}+` : todo || "";
    document.querySelectorAll('[data-badge="/inbox"]').forEach((link) => {
      link.querySelector(".badge").textContent = number;
      const place = link.dataset.label;
      link.setAttribute("aria-label", todo ? hirobaText("inbox.script.badge", { place, count: number }) : place);
    });
  };

  // --- Focus

  let last = null;
  document.addEventListener("focusin", ({ target }) => {
    const at = target.closest?.("#items > [data-item]");
    if (at) last = at.dataset.item;
  });
  const current = () => {
    const at = document.activeElement?.closest?.("#items > [data-item]") ?? (last && row(last));
    return at && isActive(at) ? at : null;
  };
  const focus = (target) => {
    const element = target?.querySelector(".item") ?? byId("empty-state");
    if (!element || element.hidden) return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  };
  const neighborOf = (from, removed = new Set()) => {
    const all = rows();
    const good = (each) => isActive(each) && !removed.has(each.dataset.item);
    const at = all.indexOf(from);
    return all.slice(at + 1).find(good) ?? all.slice(0, Math.max(at, 0)).reverse().find(good) ?? null;
  };
  // When the last row was removed and the next page is loading, the focus moves to the first row of that page.
  let focusNextPage = false;
  const focusLoadedPage = () => {
    const first = focusNextPage && rows().find(isActive);
    if (!first) return;
    focusNextPage = false;
    if (!document.activeElement?.closest("dialog, input, select, textarea")) focus(first);
  };
  const move = (step) => {
    const all = rows().filter(isActive);
    const here = current();
    const next = here ? all[all.indexOf(here) + step] : all[0];
    if (next) focus(next);
  };

  // --- Selection

  const boxes = () => rows().filter(isActive).map((each) => each.querySelector(".pick input"));
  const selected = () => boxes().filter((box) => box.checked).map((box) => box.value);
  const showSelection = () => {
    const bulk = document.querySelector("#items-form .bulk");
    if (!bulk) return;
    const count = selected().length;
    const all = bulk.querySelector("[data-all]");
    all.checked = count > 0 && count === boxes().length;
    all.indeterminate = count > 0 && !all.checked;
    bulk.classList.toggle("on", count > 0);
    bulk.querySelector(".selected-count").textContent = count
      ? hirobaText("inbox.script.selected", { count })
      : hirobaText("inbox.script.select-all");
  };
  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("[data-all]")) boxes().forEach((box) => { box.checked = target.checked; });
    if (target.closest?.("#items-form")) showSelection();
  });
  const clearSelection = () => {
    boxes().forEach((box) => { box.checked = false; });
    showSelection();
  };

  // --- Actions and undo

  const undos = [];
  // The undo key waits for the actions under way: the last of them is what it undoes.
  let actions = Promise.resolve();
  const track = (action) => { actions = Promise.allSettled([actions, action]); };
  const showToast = (message, undo) => {
    const box = byId("toasts");
    if (!box) return;
    box.querySelectorAll(".toast.undoable").forEach((old) => old.remove());
    const toast = document.createElement("div");
    toast.className = "toast";
    const words = document.createElement("span");
    words.textContent = message;
    toast.append(words);
    if (undo) {
      toast.classList.add("undoable");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "compact";
      button.textContent = hirobaText("inbox.script.undo");
      button.title = hirobaText("inbox.script.undo-hint");
      button.addEventListener("click", () => undoAction(undo));
      toast.append(button);
      undo.toast = toast;
    }
    box.append(toast);
    const expire = () => setTimeout(() => {
      if (toast.matches(":hover, :focus-within")) expire();
      else toast.remove();
    }, toastMs);
    expire();
  };

  // Someone whose session has ended is sent to the login and comes back afterwards.
  const requestHeaders = () => ({ Accept: "text/html", "HX-Request": "true", "HX-Current-URL": location.href });
  const followRedirect = (answer) => {
    const here = encodeURIComponent(location.pathname + location.search);
    const to = answer.headers.get("HX-Redirect") ?? (answer.status === 401 ? `/login?next=${here}` : null);
    if (to) location.assign(to);
    return !!to;
  };

  // The page at an address, or null if there is none to show.
  const fetchPage = async (address) => {
    try {
      const answer = await fetch(address, { headers: requestHeaders() });
      if (followRedirect(answer) || !answer.ok || answer.redirected) return null;
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return null;
    }
  };

  let busy = 0;
  let sent = 0;
  const errorText = (page) => page.querySelector(".alert.bad p, .heading-block + p")?.textContent ?? hirobaText("shell.script.failed");
  // Resolves to the result element, to null if the server rejected the action, and to undefined if a retry may succeed.
  // The reason is shown as a toast.
  const send = async (path, fields) => {
    const body = new URLSearchParams();
    form()?.querySelectorAll(":scope > input[type=hidden]").forEach(({ name, value }) => body.append(name, value));
    fields.forEach(([name, value]) => body.append(name, value));
    busy += 1;
    sent += 1;
    try {
      const answer = await fetch(path, { method: "POST", headers: requestHeaders(), body, keepalive: true });
      if (followRedirect(answer)) return undefined;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const result = page.getElementById("action-result");
      if (!result) showToast(errorText(page));
      return result ?? (answer.status < 500 ? null : undefined);
    } catch {
      showToast(hirobaText("shell.script.unreachable"));
      return undefined;
    } finally {
      busy -= 1;
    }
  };

  const updateListState = () => {
    const any = rows().length > 0;
    const empty = byId("empty-state");
    if (empty) empty.hidden = any || !!list().querySelector(":scope > .more");
    const bulk = document.querySelector("#items-form .bulk");
    if (bulk) bulk.hidden = !any;
    const all = document.querySelector(".all-done");
    if (all) all.hidden = !any;
    // "Mark all as done" covers the rows that are shown, including those that arrived meanwhile.
    const newest = document.querySelector(".all-done [name=newest]");
    if (newest) newest.value = rows().reduce((max, { dataset: { item } }) => (item > max ? item : max), newest.value);
    showSelection();
  };
  const insertRow = (fresh, before) => {
    const own = document.importNode(fresh, true);
    list().insertBefore(own, before ?? list().querySelector(":scope > .more"));
    globalThis.htmx?.process(own);
    return own;
  };
  const replaceRow = (old, fresh) => {
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const star = focused?.matches(".star");
    const own = document.importNode(fresh, true);
    old.replaceWith(own);
    globalThis.htmx?.process(own);
    if (focused) (star ? own.querySelector(".star") : own.querySelector(".item")).focus({ preventScroll: true });
  };
  const shown = (result) => [...result.querySelectorAll("[data-item]")];
  const countsOf = ({ dataset: { todo, snoozed, saved, done } }) => ({ todo, snoozed, saved, done });

  // Whether an action removes an item from the current tab.
  const removesFromTab = (action) => {
    const state = form().querySelector("input[name=state]")?.value ?? "todo";
    return {
      todo: ["done", "snooze"], snoozed: ["done", "unsnooze"], saved: ["unsave"], done: ["restore"],
    }[state].includes(action);
  };

  const perform = async (action, itemIds, fields = []) => {
    const here = form();
    const targets = itemIds.map(row).filter(Boolean);
    if (!targets.length) return;
    const inList = targets.some((each) => each.contains(document.activeElement)) || document.activeElement === document.body;
    const removed = new Set(itemIds);
    const from = current() ?? targets.at(-1);
    if (removesFromTab(action)) {
      // The focus moves before the response, so that the next key press hits the next item.
      const next = removed.has(from.dataset.item) ? neighborOf(from, removed) : from;
      targets.forEach((each) => { each.dataset.leaving = ""; });
      const follows = inList || document.activeElement?.closest(".bulk, dialog");
      if (next && follows) focus(next);
      focusNextPage = !next && !!follows && !!list().querySelector(":scope > .more");
    }
    const result = await send("/inbox/act", [["do", action], ...itemIds.map((id) => ["id", id]), ...fields]);
    targets.forEach((each) => { delete each.dataset.leaving; });
    if (!result) {
      showSelection();
      return;
    }
    showCounts(countsOf(result));
    const places = [];
    const previous = result.dataset.undo ? result.dataset.undo.split(",") : [];
    const undo = previous.length ? { previous, places, list: here.dataset.list } : null;
    if (undo) undos.push(undo);
    showToast(result.dataset.message, undo);
    if (form() !== here) return;
    ids(result.dataset.removed).map(row).filter(Boolean).forEach((each) => {
      places.push({ id: each.dataset.item, next: each.nextElementSibling?.id });
      each.remove();
    });
    shown(result).forEach((fresh) => { if (row(fresh.dataset.item)) replaceRow(row(fresh.dataset.item), fresh); });
    updateListState();
    if (!rows().some(isActive)) focus(null);
    scheduleRefresh();
  };

  // Shows the list as the server has it now, from the top.
  const reloadList = async () => {
    const here = form();
    const page = here && await fetchPage(here.querySelector(":scope > [name=back]").value);
    if (!page || form() !== here) return;
    list().replaceChildren(...[...page.getElementById("items").children].map((each) => document.importNode(each, true)));
    globalThis.htmx?.process(list());
    const question = page.querySelector(".all-done");
    if (question) document.querySelector(".all-done")?.replaceWith(document.importNode(question, true));
    arrivals.clear();
    showArrivals();
    updateListState();
    focus(rows().find(isActive));
  };

  const markAllDone = async (question) => {
    const here = form();
    const newest = question.elements.newest.value;
    question.closest("details").open = false;
    const all = rows();
    all.forEach((each) => { each.dataset.leaving = ""; });
    const result = await send("/inbox/done-all", [["newest", newest]]);
    all.forEach((each) => { delete each.dataset.leaving; });
    if (!result) return;
    showCounts(countsOf(result));
    const { run, message } = result.dataset;
    const undo = run ? { run } : null;
    if (undo) undos.push(undo);
    showToast(message, undo);
    if (form() === here) await reloadList();
  };

  const undoAction = async (undo) => {
    undos.splice(undos.indexOf(undo), 1);
    undo.toast?.remove();
    const result = await send("/inbox/undo", undo.run ? [["run", undo.run]] : undo.previous.map((each) => ["was", each]));
    if (!result) {
      if (result === undefined) undos.push(undo);
      return;
    }
    showCounts(countsOf(result));
    showToast(result.dataset.message);
    if (undo.run) {
      await reloadList();
      return;
    }
    if (!form() || form().dataset.list !== undo.list) return;
    ids(result.dataset.removed).map(row).filter(Boolean).forEach((each) => each.remove());
    const fresh = new Map(shown(result).map((each) => [each.dataset.item, each]));
    // Last to first, so that the row each one preceded is already back.
    let first = null;
    undo.places.slice().reverse().forEach(({ id, next }) => {
      if (fresh.has(id) && !row(id)) first = insertRow(fresh.get(id), next && byId(next));
    });
    fresh.forEach((each, id) => {
      if (row(id) && !undo.places.some((place) => place.id === id)) {
        replaceRow(row(id), each);
        first ??= row(id);
      }
    });
    arrivals.forEach((each, id) => { if (row(id)) arrivals.delete(id); });
    showArrivals();
    updateListState();
    if (first) focus(first);
    scheduleRefresh();
  };

  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    const snoozing = target.closest?.("dialog#snooze") && target.matches(".snooze-form");
    const allDone = target.matches(".all-done form");
    // Not by form.id: an input named "id" shadows it.
    if (!target.matches("#items-form") && !snoozing && !allDone) return;
    event.preventDefault();
    event.stopPropagation();
    if (allDone) {
      track(markAllDone(target));
      return;
    }
    if (snoozing) {
      const itemIds = byId("snooze").items;
      byId("snooze").close();
      track(perform("snooze", itemIds, [["choice", submitter.value], ["until", target.elements.until?.value ?? ""]]));
      return;
    }
    const [action, id] = submitter?.value.split(" ") ?? [];
    if (!action) return;
    const itemIds = id ? [id] : selected();
    if (action === "snooze") openSnooze(itemIds);
    else track(perform(action, itemIds));
  }, true);

  // --- Snooze

  const openSnooze = (itemIds) => {
    const dialog = byId("snooze");
    if (!dialog || !itemIds.length) return;
    dialog.items = itemIds;
    byId("snooze-heading").textContent = itemIds.length === 1
      ? hirobaText("inbox.script.snooze")
      : hirobaText("inbox.script.snooze-items", { count: itemIds.length });
    for (const event of ["merge", "pipeline"]) {
      dialog.querySelector(`[value=${event}]`).hidden =
        !itemIds.every((id) => row(id)?.dataset.snoozeEvents.split(" ").includes(event));
    }
    dialog.showModal();
    dialog.querySelector("[name=choice]").focus();
    refreshPresets(dialog);
  };
  // The times in the page are those of its rendering, which may be long ago.
  const refreshPresets = async (dialog) => {
    const page = await fetchPage("/inbox/snooze");
    page?.querySelectorAll(".presets [name=choice]").forEach((fresh) => {
      const when = dialog.querySelector(`.presets [value="${fresh.value}"] .muted`);
      if (when) when.textContent = fresh.querySelector(".muted").textContent;
    });
    const fresh = page?.querySelector("[name=until]");
    const until = dialog.querySelector("[name=until]");
    if (!fresh || !until) return;
    until.min = fresh.min;
    if (until.value === until.defaultValue) until.value = fresh.value;
    until.defaultValue = fresh.value;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-snooze]");
    if (link?.closest(".stale")) {
      event.preventDefault();
      event.stopPropagation();
    } else if (link && byId("snooze") && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.button) {
      event.preventDefault();
      event.stopPropagation();
      openSnooze([link.dataset.snooze]);
    }
    if (event.target.closest?.("[data-keys]")) showKeys();
    if (event.target.matches?.("dialog.inbox-dialog")) event.target.close();
    if (event.target.closest?.("[data-arrived]")) insertArrivals();
  }, true);
  document.addEventListener("close", ({ target }) => {
    if (target.matches?.("dialog.inbox-dialog") && current()) focus(current());
  }, true);

  // --- Opening an item marks it as read

  const markOpened = ({ target, button, type }) => {
    const link = target.closest?.("#items a[data-open]");
    if (!link || (type === "auxclick" && button !== 1)) return;
    const item = link.closest(".item");
    if (!item.matches(".unread")) return;
    item.classList.replace("unread", "read");
    item.querySelector(".dot")?.remove();
    send("/inbox/act", [["do", "read"], ["id", link.closest("[data-item]").dataset.item]]);
  };
  document.addEventListener("click", markOpened);
  document.addEventListener("auxclick", markOpened);

  // --- New items wait behind a button, so that the list does not move while somebody reads

  const arrivals = new Map();
  const showArrivals = () => {
    const button = document.querySelector("[data-arrived]");
    if (!button) return;
    button.querySelector("span").textContent = hirobaText("inbox.script.new", { count: arrivals.size });
    button.hidden = !arrivals.size;
  };
  const insertArrivals = () => {
    let first = null;
    [...arrivals.values()].reverse().forEach(({ fresh, next }) => {
      if (!row(fresh.dataset.item)) first = insertRow(fresh, next && row(next));
    });
    arrivals.clear();
    showArrivals();
    updateListState();
    if (first) focus(first);
  };

  const refresh = async () => {
    const here = form();
    if (!here?.dataset.list) return;
    if (busy) {
      scheduleRefresh();
      return;
    }
    const sentBefore = sent;
    const page = await fetchPage(here.dataset.list);
    if (!page || form() !== here) return;
    // An action that was sent meanwhile may have been missed.
    if (sent !== sentBefore) {
      scheduleRefresh();
      return;
    }
    merge([...page.querySelectorAll("#items > [data-item]")], !!page.querySelector("#items > .more"));
  };

  const markStale = (each, isStale) => {
    const link = each.querySelector("a[data-snooze]");
    if (isStale) link?.setAttribute("aria-disabled", "true");
    else link?.removeAttribute("aria-disabled");
    const note = each.querySelector(".summary .elsewhere");
    if (!isStale) note?.remove();
    if (!isStale || note) return;
    const words = document.createElement("span");
    words.className = "visually-hidden elsewhere";
    words.textContent = ` ${hirobaText("inbox.script.elsewhere")}`;
    each.querySelector(".summary").append(words);
  };

  const merge = (fresh, freshHasMore) => {
    const hasMore = !!list().querySelector(":scope > .more");
    const lastKnown = fresh.findLastIndex((each) => row(each.dataset.item));
    arrivals.clear();
    fresh.forEach((each, at) => {
      if (row(each.dataset.item) || (hasMore && at > lastKnown)) return;
      const next = fresh.slice(at + 1).find((other) => row(other.dataset.item));
      arrivals.set(each.dataset.item, { fresh: each, next: next?.dataset.item });
    });
    const listed = new Set(fresh.map((each) => each.dataset.item));
    const all = rows();
    const covered = freshHasMore ? all.findLastIndex((each) => listed.has(each.dataset.item)) : all.length;
    all.forEach((each, at) => {
      const isStale = at < covered && !listed.has(each.dataset.item);
      each.classList.toggle("stale", isStale);
      each.querySelectorAll("button, input").forEach((control) => { control.disabled = isStale; });
      markStale(each, isStale);
    });
    showSelection();
    if (!rows().length && arrivals.size) insertArrivalsKeepingFocus();
    else showArrivals();
  };
  const insertArrivalsKeepingFocus = () => {
    const active = document.activeElement;
    insertArrivals();
    if (active !== byId("empty-state") && active !== document.body) active?.focus({ preventScroll: true });
  };

  let due = null;
  const scheduleRefresh = () => {
    due ??= setTimeout(() => {
      due = null;
      refresh();
    }, refreshDelayMs);
  };
  document.addEventListener("live:inbox", ({ detail }) => {
    showCounts(detail);
    scheduleRefresh();
  });

  // --- Keys

  const typing = (target) => target.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]")
    || target.closest?.("dialog[open], details.menu[open], :popover-open");
  const press = (selector, item) => item?.querySelector(selector)?.click();
  const pressBulk = (...values) => {
    const button = values.map((value) => document.querySelector(`.bulk-actions [value="${value}"]`)).find(Boolean);
    button?.click();
  };
  // Single-letter shortcuts get in the way of speech input, so they can be turned off.
  const shortcutsOffKey = "inbox.letters-off";
  const shortcutsEnabled = () => {
    try {
      return !localStorage.getItem(shortcutsOffKey);
    } catch {
      return true;
    }
  };
  const showKeys = () => {
    byId("keys").querySelector("[data-letters]").checked = shortcutsEnabled();
    byId("keys").showModal();
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.("[data-letters]")) return;
    try {
      if (target.checked) localStorage.removeItem(shortcutsOffKey);
      else localStorage.setItem(shortcutsOffKey, "on");
    } catch {
      showToast(hirobaText("inbox.script.no-settings"));
    }
  });
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    e: () => (selected().length ? pressBulk("done", "restore") : press("[data-key=e]", current())),
    s: () => (selected().length ? pressBulk("snooze") : press("a[data-snooze]", current())),
    b: () => (selected().length ? pressBulk("save", "unsave") : press(".star", current())),
    x: () => press(".pick input", current() ?? rows().find(isActive)),
    o: () => press("a[data-open]", current()),
    u: () => track(actions.then(() => { if (undos.length) return undoAction(undos.at(-1)); })),
    n: () => { if (arrivals.size) insertArrivals(); },
    "?": () => showKeys(),
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const dialog = target.closest?.("dialog#snooze");
    if (dialog && (key === "ArrowDown" || key === "ArrowUp") && target.matches("[name=choice]")) {
      const all = [...dialog.querySelectorAll("[name=choice]:not([hidden])")];
      all[all.indexOf(target) + (key === "ArrowDown" ? 1 : -1)]?.focus();
      event.preventDefault();
    }
    if (!form() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(target)) return;
    if (key === "Enter" && target.matches(".item")) press("a[data-open]", current());
    else if (key === "Enter" && target.matches(".pick input")) target.click();
    else if (key === "Escape" && selected().length) clearSelection();
    else if (!shortcutsEnabled()) return;
    else if (keys[key] && !event.repeat) keys[key]();
    else if (event.repeat && "jk".includes(key)) keys[key]();
    else return;
    event.preventDefault();
  });

  // Empty fields would only make URLs long.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!detail.elt.matches?.("[data-filters]")) return;
    for (const name of [...detail.formData.keys()]) {
      const value = detail.formData.get(name);
      if (!value || (name === "sort" && value === "recommended")) detail.formData.delete(name);
    }
  });
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (target === document.body) arrivals.clear();
    if (form()) {
      updateListState();
      focusLoadedPage();
    }
  });
})();
