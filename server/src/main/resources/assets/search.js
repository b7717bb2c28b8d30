"use strict";

// Keys of the search page, and what was searched for lately. The latter stays in this browser, and goes when its owner logs out.
(() => {
  const MAX_RECENT = 10;
  const box = () => document.querySelector("form.search #q");
  const results = () => [...document.querySelectorAll("#found [data-result], #found .post .time")];

  const recentKey = () => {
    const owner = document.querySelector("[data-stream]")?.dataset.stream;
    return owner && `search.recent.${owner}`;
  };
  const recent = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(recentKey()) ?? "[]");
      return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, MAX_RECENT) : [];
    } catch {
      return [];
    }
  };
  const keep = (searches) => {
    try {
      if (searches.length) localStorage.setItem(recentKey(), JSON.stringify(searches.slice(0, MAX_RECENT)));
      else localStorage.removeItem(recentKey());
    } catch {
      // A browser that stores nothing has no recent searches.
    }
  };
  const remember = () => {
    const query = box()?.value.trim();
    if (query && recentKey()) keep([query, ...recent().filter((each) => each !== query)]);
  };

  const showRecent = () => {
    const place = document.getElementById("recent");
    if (!place) return;
    const searches = box().value.trim() ? [] : recent();
    const list = place.querySelector("ul");
    list.replaceChildren(...searches.map((query) => {
      const item = place.querySelector("template").content.cloneNode(true).firstElementChild;
      const link = item.querySelector("[data-recent-link]");
      link.textContent = query;
      link.href = `/search?q=${encodeURIComponent(query)}`;
      item.querySelector("[data-recent-remove]").dataset.recentRemove = query;
      return item;
    }));
    place.hidden = searches.length === 0;
    window.htmx?.process(list);
  };

  document.addEventListener("click", (event) => {
    const remove = event.target.closest("[data-recent-remove]");
    if (remove) {
      keep(recent().filter((each) => each !== remove.dataset.recentRemove));
      showRecent();
      box().focus();
    } else if (event.target.closest("[data-recent-clear]")) {
      keep([]);
      showRecent();
      box().focus();
    } else if (event.target.closest("#found a[href]")) {
      remember();
    }
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches("form.search") && box()) {
      remember();
      // The keyboard of a phone would hide the results.
      if (matchMedia("(hover: none)").matches) box().blur();
    }
    if (event.target.matches("form[action='/logout']")) keep([]);
  }, true);
  document.addEventListener("input", (event) => {
    if (event.target === box()) showRecent();
  });

  const isTyping = (target) => target.matches?.("input, textarea, select, [contenteditable]");
  const lettersOff = () => {
    try {
      return Boolean(localStorage.getItem("inbox.letters-off"));
    } catch {
      return false;
    }
  };
  const moveBy = (step, from) => {
    const all = results();
    const to = all.indexOf(from) + step;
    if (to < 0) box().focus();
    else all[to]?.focus();
  };

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (key === "/" && !isTyping(target) && !document.querySelector("dialog[open]") && !lettersOff()) {
      const own = box() ?? document.querySelector("main input[type=search]");
      event.preventDefault();
      if (own) own.select();
      else document.querySelector(".nav a[href='/search']")?.click();
      return;
    }
    if (!box()) return;
    const onResult = results().includes(target);
    if ((key === "ArrowDown" || key === "ArrowUp") && (onResult || (target === box() && key === "ArrowDown"))) {
      event.preventDefault();
      moveBy(key === "ArrowDown" ? 1 : -1, target);
    } else if (key === "Escape" && onResult) {
      box().focus();
    } else if (key === "Escape" && target === box() && box().value) {
      event.preventDefault();
      box().value = "";
      box().dispatchEvent(new Event("input", { bubbles: true }));
    }
  });

  document.addEventListener("DOMContentLoaded", showRecent);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === document.body) showRecent();
  });
})();
