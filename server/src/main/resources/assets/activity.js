"use strict";

// Pages work without this file; it updates the unread badge and announces new cards.
(() => {
  const maxShown = 99;
  const badgeLinks = () => document.querySelectorAll('[data-badge="/notifications"]');

  // The title carries the count as well, so that it shows in a background tab.
  const updateTitle = () => {
    const number = badgeLinks()[0]?.querySelector(".badge").textContent;
    const title = document.title.replace(/^\(\d+\+?\) /, "");
    const wanted = number ? `(${number}) ${title}` : title;
    if (document.title !== wanted) document.title = wanted;
  };

  document.addEventListener("live:count", ({ detail: { unread } }) => {
    const number = unread > maxShown ? `${maxShown}+` : unread || "";
    const name = (place) => hirobaText("activity.script.unread", { place, count: number });
    badgeLinks().forEach((link) => {
      link.querySelector(".badge").textContent = number;
      link.setAttribute("aria-label", unread ? name(link.dataset.label) : link.dataset.label);
    });
    updateTitle();
  });

  // New cards wait behind a button, so that the page does not move while somebody reads.
  document.addEventListener("live:card", ({ detail: { slot, term, updatedAt, isRead } }) => {
    const box = document.querySelector("[data-cards]");
    if (!box || isRead || updatedAt <= box.dataset.cards) return;
    box.announced ??= new Set();
    box.announced.add(`${slot} ${term}`);
    const button = box.querySelector(".live a");
    button.querySelector("span").textContent = hirobaText("activity.script.new", { count: box.announced.size });
    button.hidden = false;
  });

  // The pressed button was swapped away, so the focus moves to its replacement. Only after settling: before that, htmx has
  // not processed the new button, and it would submit its form natively.
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (target.id === "cards") document.getElementById("cards").focus({ preventScroll: true });
    if (!target.matches(".result")) return;
    const menu = target.closest(".notice").querySelector("details[open]");
    if (menu) menu.open = false;
    (target.querySelector("button") ?? target.closest(".notice").querySelector("summary")).focus();
  });

  // Whoever follows a card's link has read the card: a plain click sends its form, which leads there too; one that opens a new
  // tab or window is left to the browser, and the form is sent beside it.
  const open = (event) => {
    const form = event.target.closest?.(".notice .open a")?.closest(".content").querySelector(".opening");
    if (!form || event.button > 1) return;
    if (event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      form.requestSubmit();
    } else {
      fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), keepalive: true, redirect: "manual" });
    }
  };
  document.addEventListener("click", open);
  document.addEventListener("auxclick", open);

  document.addEventListener("htmx:afterSettle", updateTitle);
  document.addEventListener("DOMContentLoaded", updateTitle);
})();
