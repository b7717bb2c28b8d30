"use strict";

// Pages work without this file; it keeps the bell up to date and tells of new cards.
(() => {
  const most = 99;
  const bells = () => document.querySelectorAll('[data-badge="/notifications"]');

  // The number stands before the title, too, for whoever has the page in a tab behind others.
  const entitle = () => {
    const number = bells()[0]?.querySelector(".badge").textContent;
    const title = document.title.replace(/^\(\d+\+?\) /, "");
    const wanted = number ? `(${number}) ${title}` : title;
    if (document.title !== wanted) document.title = wanted;
  };

  document.addEventListener("live:count", ({ detail: { unread } }) => {
    const number = unread > most ? `${most}+` : unread || "";
    const words = unread > most ? `more than ${most}` : unread;
    bells().forEach((bell) => {
      bell.querySelector(".badge").textContent = number;
      bell.setAttribute("aria-label", unread ? `${bell.dataset.label}, ${words} unread` : bell.dataset.label);
    });
    entitle();
  });

  // New cards wait behind a button, so that what somebody is reading stays where it is.
  document.addEventListener("live:card", ({ detail: { slot, term, updatedAt, isRead } }) => {
    const box = document.querySelector("[data-cards]");
    if (!box || isRead || updatedAt <= box.dataset.cards) return;
    box.told ??= new Set();
    box.told.add(`${slot} ${term}`);
    const button = box.querySelector(".live a");
    button.querySelector("span").textContent = box.told.size === 1 ? "1 new" : `${box.told.size} new`;
    button.hidden = false;
  });

  // What was pressed is gone with what it stood in: the focus goes on to what came instead. Not before it is settled: until
  // then a button that came sends its form as without scripts.
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (target.id === "cards") document.getElementById("cards").focus({ preventScroll: true });
    if (!target.matches(".outcome")) return;
    const menu = target.closest(".notice").querySelector("details[open]");
    if (menu) menu.open = false;
    (target.querySelector("button") ?? target.closest(".notice").querySelector("summary")).focus();
  });

  document.addEventListener("htmx:afterSettle", entitle);
  document.addEventListener("DOMContentLoaded", entitle);
})();
