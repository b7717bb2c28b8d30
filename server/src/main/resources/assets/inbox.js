"use strict";

// Pages work without this file; it lets one empty the inbox by keyboard, takes acts back, and tells of what comes.
(() => {
  const most = 99;
  const toastMs = 10_000;
  const calmMs = 300;
  const byId = (id) => document.getElementById(id);
  const form = () => byId("items-form");
  const list = () => byId("items");
  const rows = () => [...document.querySelectorAll("#items > [data-item]")];
  const stays = (row) => !row.matches("[data-leaving], .gone");
  const row = (id) => byId(`item-${id}`);
  const ids = (text) => (text ? text.split(" ") : []);

  // --- Counts

  const showCounts = (counts) => {
    for (const [name, count] of Object.entries(counts)) {
      document.querySelectorAll(`[data-count-of="${name}"]`).forEach((each) => { each.textContent = count; });
    }
    const todo = Number(counts.todo);
    document.querySelectorAll('[data-badge="/inbox"]').forEach((link) => {
      link.querySelector(".badge").textContent = todo > most ? `${most}+` : todo || "";
      const words = todo > most ? `more than ${most}` : todo;
      link.setAttribute("aria-label", todo ? `${link.dataset.label}, ${words} to do` : link.dataset.label);
    });
  };

  // --- Where one is

  let last = null;
  document.addEventListener("focusin", ({ target }) => {
    const at = target.closest?.("#items > [data-item]");
    if (at) last = at.dataset.item;
  });
  const current = () => {
    const at = document.activeElement?.closest?.("#items > [data-item]") ?? (last && row(last));
    return at && stays(at) ? at : null;
  };
  const focus = (target) => {
    const element = target?.querySelector(".item") ?? byId("nothing");
    if (!element || element.hidden) return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  };
  const beside = (from, gone = new Set()) => {
    const all = rows();
    const good = (each) => stays(each) && !gone.has(each.dataset.item);
    const at = all.indexOf(from);
    return all.slice(at + 1).find(good) ?? all.slice(0, Math.max(at, 0)).reverse().find(good) ?? null;
  };
  // The last one has gone, and more is being fetched: the first of that is where to go on.
  let goesOn = false;
  const goOn = () => {
    const first = goesOn && rows().find(stays);
    if (!first) return;
    goesOn = false;
    if (!document.activeElement?.closest("dialog, input, select, textarea")) focus(first);
  };
  const move = (step) => {
    const all = rows().filter(stays);
    const here = current();
    const next = here ? all[all.indexOf(here) + step] : all[0];
    if (next) focus(next);
  };

  // --- Choosing several

  const boxes = () => rows().filter(stays).map((each) => each.querySelector(".pick input"));
  const chosen = () => boxes().filter((box) => box.checked).map((box) => box.value);
  const showChosen = () => {
    const bulk = document.querySelector("#items-form .bulk");
    if (!bulk) return;
    const count = chosen().length;
    const all = bulk.querySelector("[data-all]");
    all.checked = count > 0 && count === boxes().length;
    all.indeterminate = count > 0 && !all.checked;
    bulk.classList.toggle("on", count > 0);
    bulk.querySelector(".chosen").textContent = count ? `${count} selected` : "Select all";
  };
  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("[data-all]")) boxes().forEach((box) => { box.checked = target.checked; });
    if (target.closest?.("#items-form")) showChosen();
  });
  const unchoose = () => {
    boxes().forEach((box) => { box.checked = false; });
    showChosen();
  };

  // --- What was done, and taking it back

  const undos = [];
  const tell = (says, undo) => {
    const box = byId("toasts");
    if (!box) return;
    box.querySelectorAll(".toast.undoable").forEach((old) => old.remove());
    const toast = document.createElement("div");
    toast.className = "toast";
    const words = document.createElement("span");
    words.textContent = says;
    toast.append(words);
    if (undo) {
      toast.classList.add("undoable");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "compact";
      button.textContent = "Undo";
      button.title = "Undo (u)";
      button.addEventListener("click", () => takeBack(undo));
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

  // Whoever is not logged in any more is sent to do so, and comes back.
  const asking = () => ({ Accept: "text/html", "HX-Request": "true", "HX-Current-URL": location.href });
  const leads = (answer) => {
    const here = encodeURIComponent(location.pathname + location.search);
    const to = answer.headers.get("HX-Redirect") ?? (answer.status === 401 ? `/login?next=${here}` : null);
    if (to) location.assign(to);
    return !!to;
  };

  let busy = 0;
  const refusal = (page) => page.querySelector(".alert.bad p, .heading-block + p")?.textContent ?? "That did not work. Try again in a moment.";
  // Answers what was done; null where it was refused, and nothing where it may work later: the reader was told why.
  const send = async (path, fields) => {
    const body = new URLSearchParams();
    form()?.querySelectorAll(":scope > input[type=hidden]").forEach(({ name, value }) => body.append(name, value));
    fields.forEach(([name, value]) => body.append(name, value));
    busy += 1;
    try {
      const answer = await fetch(path, { method: "POST", headers: asking(), body, keepalive: true });
      if (leads(answer)) return undefined;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const outcome = page.getElementById("outcome");
      if (!outcome) tell(refusal(page));
      return outcome ?? (answer.status < 500 ? null : undefined);
    } catch {
      tell("The server cannot be reached. Try again in a moment.");
      return undefined;
    } finally {
      busy -= 1;
    }
  };

  const showEmptiness = () => {
    const any = rows().length > 0;
    const nothing = byId("nothing");
    if (nothing) nothing.hidden = any || !!list().querySelector(":scope > .more");
    const bulk = document.querySelector("#items-form .bulk");
    if (bulk) bulk.hidden = !any;
    const all = document.querySelector(".all-done");
    if (all) all.hidden = !any;
    // All done is all that was shown: what is listed by now is.
    const newest = document.querySelector(".all-done [name=newest]");
    if (newest) newest.value = rows().reduce((most, { dataset: { item } }) => (item > most ? item : most), newest.value);
    showChosen();
  };
  const put = (fresh, before) => {
    const own = document.importNode(fresh, true);
    list().insertBefore(own, before ?? list().querySelector(":scope > .more"));
    globalThis.htmx?.process(own);
    return own;
  };
  const replace = (old, fresh) => {
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const star = focused?.matches(".star");
    const own = document.importNode(fresh, true);
    old.replaceWith(own);
    globalThis.htmx?.process(own);
    if (focused) (star ? own.querySelector(".star") : own.querySelector(".item")).focus({ preventScroll: true });
  };
  const shown = (outcome) => [...outcome.querySelectorAll("[data-item]")];
  const countsOf = ({ dataset: { todo, snoozed, saved, done } }) => ({ todo, snoozed, saved, done });

  // Which acts take an item from the list that is shown.
  const takesAway = (what) => {
    const state = form().querySelector("input[name=state]")?.value ?? "todo";
    return {
      todo: ["done", "snooze"], snoozed: ["done", "unsnooze"], saved: ["unsave"], done: ["restore"],
    }[state].includes(what);
  };

  const act = async (what, these, more = []) => {
    const here = form();
    const of = these.map(row).filter(Boolean);
    if (!of.length) return;
    const inList = of.some((each) => each.contains(document.activeElement)) || document.activeElement === document.body;
    const gone = new Set(these);
    const from = current() ?? of.at(-1);
    if (takesAway(what)) {
      // The next key finds the next item at once, however long the answer takes.
      const next = gone.has(from.dataset.item) ? beside(from, gone) : from;
      of.forEach((each) => { each.dataset.leaving = ""; });
      const follows = inList || document.activeElement?.closest(".bulk, dialog");
      if (next && follows) focus(next);
      goesOn = !next && !!follows && !!list().querySelector(":scope > .more");
    }
    const outcome = await send("/inbox/act", [["do", what], ...these.map((id) => ["id", id]), ...more]);
    of.forEach((each) => { delete each.dataset.leaving; });
    if (!outcome) {
      showChosen();
      return;
    }
    showCounts(countsOf(outcome));
    if (form() !== here) return;
    const places = [];
    ids(outcome.dataset.gone).map(row).filter(Boolean).forEach((each) => {
      places.push({ id: each.dataset.item, next: each.nextElementSibling?.id });
      each.remove();
    });
    shown(outcome).forEach((fresh) => { if (row(fresh.dataset.item)) replace(row(fresh.dataset.item), fresh); });
    showEmptiness();
    if (!rows().some(stays)) focus(null);
    const was = outcome.dataset.undo ? outcome.dataset.undo.split(",") : [];
    const undo = was.length ? { was, places, list: here.dataset.list } : null;
    if (undo) undos.push(undo);
    tell(outcome.dataset.says, undo);
    soon();
  };

  const takeBack = async (undo) => {
    undos.splice(undos.indexOf(undo), 1);
    undo.toast?.remove();
    const outcome = await send("/inbox/undo", undo.was.map((each) => ["was", each]));
    if (!outcome) {
      if (outcome === undefined) undos.push(undo);
      return;
    }
    showCounts(countsOf(outcome));
    tell(outcome.dataset.says);
    if (!form() || form().dataset.list !== undo.list) return;
    ids(outcome.dataset.gone).map(row).filter(Boolean).forEach((each) => each.remove());
    const fresh = new Map(shown(outcome).map((each) => [each.dataset.item, each]));
    // From the last to the first: each stands before the one that it stood before.
    let first = null;
    undo.places.slice().reverse().forEach(({ id, next }) => {
      if (fresh.has(id) && !row(id)) first = put(fresh.get(id), next && byId(next));
    });
    fresh.forEach((each, id) => {
      if (row(id) && !undo.places.some((place) => place.id === id)) {
        replace(row(id), each);
        first ??= row(id);
      }
    });
    arrivals.forEach((each, id) => { if (row(id)) arrivals.delete(id); });
    showArrivals();
    showEmptiness();
    if (first) focus(first);
    soon();
  };

  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    const snoozing = target.closest?.("dialog#snooze") && target.matches(".snoozing");
    // Not by its id: a field of that name hides it.
    if (!target.matches("#items-form") && !snoozing) return;
    event.preventDefault();
    event.stopPropagation();
    if (snoozing) {
      const these = byId("snooze").items;
      byId("snooze").close();
      act("snooze", these, [["choice", submitter.value], ["until", target.elements.until?.value ?? ""]]);
      return;
    }
    const [what, id] = submitter?.value.split(" ") ?? [];
    if (!what) return;
    const these = id ? [id] : chosen();
    if (what === "snooze") putOff(these);
    else act(what, these);
  }, true);

  // --- Putting off

  const putOff = (these) => {
    const dialog = byId("snooze");
    if (!dialog || !these.length) return;
    dialog.items = these;
    byId("snooze-heading").textContent = these.length === 1 ? "Snooze" : `Snooze ${these.length} items`;
    dialog.showModal();
    dialog.querySelector("[name=choice]").focus();
    showTimes(dialog);
  };
  // The page may have been open for long: its times are those of when it came.
  const showTimes = async (dialog) => {
    let page;
    try {
      const answer = await fetch("/inbox/snooze", { headers: asking() });
      if (leads(answer) || !answer.ok) return;
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return;
    }
    page.querySelectorAll(".ways [name=choice]").forEach((fresh) => {
      const when = dialog.querySelector(`.ways [value="${fresh.value}"] .muted`);
      if (when) when.textContent = fresh.querySelector(".muted").textContent;
    });
    const fresh = page.querySelector("[name=until]");
    const until = dialog.querySelector("[name=until]");
    if (!fresh || !until) return;
    until.min = fresh.min;
    if (until.value === until.defaultValue) until.value = fresh.value;
    until.defaultValue = fresh.value;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-snooze]");
    if (link?.closest(".gone")) {
      event.preventDefault();
      event.stopPropagation();
    } else if (link && byId("snooze") && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.button) {
      event.preventDefault();
      event.stopPropagation();
      putOff([link.dataset.snooze]);
    }
    if (event.target.closest?.("[data-keys]")) showKeys();
    if (event.target.matches?.("dialog.inbox-dialog")) event.target.close();
    if (event.target.closest?.("[data-arrived]")) showArrived();
  }, true);
  document.addEventListener("close", ({ target }) => {
    if (target.matches?.("dialog.inbox-dialog") && current()) focus(current());
  }, true);

  // --- Reading

  const opened = ({ target, button, type }) => {
    const link = target.closest?.("#items a[data-open]");
    if (!link || (type === "auxclick" && button !== 1)) return;
    const item = link.closest(".item");
    if (!item.matches(".unread")) return;
    item.classList.replace("unread", "read");
    item.querySelector(".dot")?.remove();
    send("/inbox/act", [["do", "read"], ["id", link.closest("[data-item]").dataset.item]]);
  };
  document.addEventListener("click", opened);
  document.addEventListener("auxclick", opened);

  // --- What comes while one looks: it waits behind a button, so that what somebody is reading stays where it is

  const arrivals = new Map();
  const showArrivals = () => {
    const button = document.querySelector("[data-arrived]");
    if (!button) return;
    button.querySelector("span").textContent = `${arrivals.size} new`;
    button.hidden = !arrivals.size;
  };
  const showArrived = () => {
    let first = null;
    [...arrivals.values()].reverse().forEach(({ fresh, next }) => {
      if (!row(fresh.dataset.item)) first = put(fresh, next && row(next));
    });
    arrivals.clear();
    showArrivals();
    showEmptiness();
    if (first) focus(first);
  };

  const look = async () => {
    const here = form();
    if (!here?.dataset.list) return;
    if (busy) {
      soon();
      return;
    }
    let page;
    try {
      const answer = await fetch(here.dataset.list, { headers: asking() });
      if (leads(answer) || !answer.ok || answer.redirected) return;
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return;
    }
    if (form() !== here) return;
    if (busy) {
      soon();
      return;
    }
    compare([...page.querySelectorAll("#items > [data-item]")], !!page.querySelector("#items > .more"));
  };

  const sayGone = (each, gone) => {
    const link = each.querySelector("a[data-snooze]");
    if (gone) link?.setAttribute("aria-disabled", "true");
    else link?.removeAttribute("aria-disabled");
    const said = each.querySelector(".says .elsewhere");
    if (!gone) said?.remove();
    if (!gone || said) return;
    const words = document.createElement("span");
    words.className = "visually-hidden elsewhere";
    words.textContent = " (handled elsewhere)";
    each.querySelector(".says").append(words);
  };

  const compare = (fresh, freshGoesOn) => {
    const hasMore = !!list().querySelector(":scope > .more");
    const lastKnown = fresh.findLastIndex((each) => row(each.dataset.item));
    arrivals.clear();
    fresh.forEach((each, at) => {
      if (row(each.dataset.item) || (hasMore && at > lastKnown)) return;
      const next = fresh.slice(at + 1).find((other) => row(other.dataset.item));
      arrivals.set(each.dataset.item, { fresh: each, next: next?.dataset.item });
    });
    const there = new Set(fresh.map((each) => each.dataset.item));
    const all = rows();
    const covered = freshGoesOn ? all.findLastIndex((each) => there.has(each.dataset.item)) : all.length;
    all.forEach((each, at) => {
      const gone = at < covered && !there.has(each.dataset.item);
      each.classList.toggle("gone", gone);
      each.querySelectorAll("button, input").forEach((control) => { control.disabled = gone; });
      sayGone(each, gone);
    });
    showChosen();
    if (!rows().length && arrivals.size) showArrivedQuietly();
    else showArrivals();
  };
  const showArrivedQuietly = () => {
    const active = document.activeElement;
    showArrived();
    if (active !== byId("nothing") && active !== document.body) active?.focus({ preventScroll: true });
  };

  let due = null;
  const soon = () => {
    due ??= setTimeout(() => {
      due = null;
      look();
    }, calmMs);
  };
  document.addEventListener("live:inbox", ({ detail }) => {
    showCounts(detail);
    soon();
  });

  // --- Keys

  const typing = (target) => target.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]")
    || target.closest?.("dialog[open], details.menu[open]");
  const press = (what, here) => here?.querySelector(what)?.click();
  const bulk = (...values) => {
    const button = values.map((value) => document.querySelector(`.for-chosen [value="${value}"]`)).find(Boolean);
    button?.click();
  };
  // Who speaks to the browser, or touches keys by mistake, can do without letters.
  const lettersOff = "inbox.letters-off";
  const withLetters = () => {
    try {
      return !localStorage.getItem(lettersOff);
    } catch {
      return true;
    }
  };
  const showKeys = () => {
    byId("keys").querySelector("[data-letters]").checked = withLetters();
    byId("keys").showModal();
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.("[data-letters]")) return;
    try {
      if (target.checked) localStorage.removeItem(lettersOff);
      else localStorage.setItem(lettersOff, "on");
    } catch {
      tell("This browser keeps no settings.");
    }
  });
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    e: () => (chosen().length ? bulk("done", "restore") : press("[data-key=e]", current())),
    s: () => (chosen().length ? bulk("snooze") : press("a[data-snooze]", current())),
    b: () => (chosen().length ? bulk("save", "unsave") : press(".star", current())),
    x: () => press(".pick input", current() ?? rows().find(stays)),
    o: () => press("a[data-open]", current()),
    u: () => { if (undos.length) takeBack(undos.at(-1)); },
    n: () => { if (arrivals.size) showArrived(); },
    "?": () => showKeys(),
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const dialog = target.closest?.("dialog#snooze");
    if (dialog && (key === "ArrowDown" || key === "ArrowUp") && target.matches("[name=choice]")) {
      const all = [...dialog.querySelectorAll("[name=choice]")];
      all[all.indexOf(target) + (key === "ArrowDown" ? 1 : -1)]?.focus();
      event.preventDefault();
    }
    if (!form() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(target)) return;
    if (key === "Enter" && target.matches(".item")) press("a[data-open]", current());
    else if (key === "Enter" && target.matches(".pick input")) target.click();
    else if (key === "Escape" && chosen().length) unchoose();
    else if (!withLetters()) return;
    else if (keys[key] && !event.repeat) keys[key]();
    else if (event.repeat && "jk".includes(key)) keys[key]();
    else return;
    event.preventDefault();
  });

  // Fields that say nothing would only make addresses long.
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
      showEmptiness();
      goOn();
    }
  });
})();
