"use strict";

// Pages work without this file; it saves drafts, completes mentions, uploads images and announces new posts.
(() => {
  document.documentElement.classList.add("js");
  const { lang } = document.documentElement;

  const store = {
    get: (key) => {
      try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; }
    },
    set: (key, value) => {
      try { sessionStorage.setItem(key, JSON.stringify(value)); } catch { /* full or forbidden: drafts are best effort */ }
    },
    remove: (key) => {
      try { sessionStorage.removeItem(key); } catch { /* as above */ }
    },
    clear: (prefix) => {
      try {
        Object.keys(sessionStorage).filter((key) => key.startsWith(prefix)).forEach(store.remove);
      } catch { /* as above */ }
    },
  };

  // Drafts live in the session storage of this tab, per author, until they are posted or the author logs out.
  const draftKey = ({ dataset: { composer, writer } }) => composer && writer && `draft ${writer} ${composer}`;
  const saveDraft = (form) => {
    const key = draftKey(form);
    if (!key) return;
    const { content, tags, lang: chosen } = form.elements;
    const draft = { content: content.value, tags: tags.value, lang: chosen.value };
    if (draft.content || draft.tags) store.set(key, draft);
    else store.remove(key);
  };
  const restoreDraft = (form) => {
    const key = draftKey(form);
    const draft = key && store.get(key);
    const { content, tags, lang: chosen } = form.elements;
    if (!draft || content.value || tags.value) return;
    content.value = draft.content;
    tags.value = draft.tags;
    chosen.value = draft.lang ?? "";
    if (draft.tags || draft.lang) form.querySelector("details").open = true;
    content.dispatchEvent(new Event("restored", { bubbles: true }));
  };
  document.addEventListener("submit", (event) => {
    if (event.target.matches('form[action="/logout"]')) store.clear("draft ");
  }, true);

  const count = (textarea) => {
    const counter = document.querySelector(`[data-count="${textarea.id}"]`);
    if (!counter) return;
    const limit = Number(textarea.dataset.limit);
    const length = [...textarea.value].length;
    counter.textContent = `${length.toLocaleString(lang)} / ${limit.toLocaleString(lang)}`;
    counter.classList.toggle("over", length > limit);
  };

  const insert = (textarea, from, to, text) => {
    textarea.focus();
    textarea.setRangeText(text, from, to, "end");
    textarea.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // Mentions: "@ta" or "＠ta" suggests people whose nickname has this prefix. The characters are those of PostMentions.
  const nameCharacter = String.raw`[\p{L}\p{M}\p{N}\p{So}_.・\-\u200C\u200D\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}]`;
  const before = String.raw`(?:^|[^\p{L}\p{N}_@＠/.]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}ー])`;
  const mentionPrefix = new RegExp(`${before}[@＠](${nameCharacter}{1,50})$`, "u");
  const mentionable = new RegExp(String.raw`^[\p{L}\p{N}\p{So}_](?:${nameCharacter}{0,48}(?![.・\-\u200C\u200D])${nameCharacter})?$`, "u");
  let lastRequest = 0;

  const suggestionsOf = (textarea) => document.getElementById(`${textarea.id}-suggestions`);
  const closeSuggestions = (textarea) => {
    lastRequest++;
    const list = suggestionsOf(textarea);
    if (!list || list.hidden) return;
    list.hidden = true;
    list.replaceChildren();
    textarea.removeAttribute("aria-activedescendant");
  };
  const highlight = (textarea, index) => {
    const items = [...suggestionsOf(textarea).children];
    const highlighted = (index + items.length) % items.length;
    items.forEach((item, i) => item.setAttribute("aria-selected", String(i === highlighted)));
    textarea.setAttribute("aria-activedescendant", items[highlighted].id);
  };
  const highlightedIndex = (list) => [...list.children].findIndex((item) => item.getAttribute("aria-selected") === "true");
  const accept = (textarea, item) => {
    const end = textarea.selectionStart;
    const name = mentionPrefix.exec(textarea.value.slice(0, end));
    closeSuggestions(textarea);
    if (name) insert(textarea, end - name[1].length, end, `${item.dataset.name} `);
  };
  const showSuggestions = (textarea, people) => {
    const list = suggestionsOf(textarea);
    const isAmbiguous = (person) => people.filter((p) => p.nickname.toLowerCase() === person.nickname.toLowerCase()).length > 1;
    list.replaceChildren(...people.map((person, i) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${i}`;
      item.setAttribute("role", "option");
      item.dataset.name = mentionable.test(person.nickname) && !isAmbiguous(person) ? person.nickname : person.id;
      const name = document.createElement("span");
      name.dir = "auto";
      name.textContent = person.nickname;
      const about = document.createElement("small");
      about.textContent = person.kind === "agent" ? hirobaText("social.script.agent") : person.followedByMe ? hirobaText("social.script.you-follow") : "";
      item.append(name, about);
      return item;
    }));
    list.hidden = false;
    highlight(textarea, 0);
  };
  const completeMention = async (textarea) => {
    const name = mentionPrefix.exec(textarea.value.slice(0, textarea.selectionStart));
    if (!name || !suggestionsOf(textarea)) {
      closeSuggestions(textarea);
      return;
    }
    const request = ++lastRequest;
    try {
      const query = new URLSearchParams({ nicknamePrefix: name[1], limit: "6" });
      const answer = await fetch(`/api/v1/users/friends?${query}`);
      if (!answer.ok || request !== lastRequest) return;
      const { items } = await answer.json();
      if (request !== lastRequest) return;
      if (items.length) showSuggestions(textarea, items);
      else closeSuggestions(textarea);
    } catch { /* completion is best effort */ }
  };

  document.addEventListener("keydown", (event) => {
    const textarea = event.target;
    if (!textarea.matches?.(".composer textarea")) return;
    const list = suggestionsOf(textarea);
    if (list && !list.hidden) {
      const steps = { ArrowDown: 1, ArrowUp: -1 };
      if (event.key in steps) highlight(textarea, highlightedIndex(list) + steps[event.key]);
      else if (event.key === "Enter" || event.key === "Tab") accept(textarea, list.children[highlightedIndex(list)]);
      else if (event.key === "Escape") closeSuggestions(textarea);
      else return;
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      textarea.form.requestSubmit();
    }
  }, true);

  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-composer]");
    if (!form) return;
    saveDraft(form);
    if (event.target.matches("textarea")) {
      count(event.target);
      completeMention(event.target);
    }
  });
  document.addEventListener("mousedown", (event) => {
    const item = event.target.closest(".suggestions li");
    if (!item) return;
    event.preventDefault();
    accept(item.closest(".field").querySelector("textarea"), item);
  });
  document.addEventListener("focusout", (event) => {
    if (event.target.matches?.(".composer textarea")) closeSuggestions(event.target);
  });

  // Prevents a double submit; the server recognises a repeated form by its idempotency key.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.matches("form[data-composer]")) {
      if (event.target.dataset.sent) event.preventDefault();
      event.target.dataset.sent = "true";
    }
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.target;
    if (!form.matches("form[data-composer]")) return;
    delete form.dataset.sent;
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const form = event.target;
    if (form.matches("form[data-composer]") && event.detail.xhr.status < 400 && draftKey(form)) store.remove(draftKey(form));
  });

  const toast = (message) => document.dispatchEvent(new CustomEvent("toast", { detail: { message } }));

  // Images are uploaded at once and inserted as Markdown.
  document.addEventListener("change", async (event) => {
    const button = event.target.closest("[data-upload]");
    const file = button && event.target.files[0];
    if (!file) return;
    const textarea = document.getElementById(button.dataset.upload);
    const { form, value: before } = textarea;
    const label = button.querySelector("span");
    const name = label.textContent;
    event.target.disabled = true;
    button.classList.add("busy");
    label.textContent = hirobaText("social.script.uploading");
    form.dataset.uploading = "true";
    let isHeld = false;
    try {
      const body = new FormData();
      body.append("file", file);
      const answer = await fetch("/api/v1/images", { method: "POST", body, headers: { Accept: "application/json" } });
      const result = await answer.json();
      if (!answer.ok) throw new Error(result.detail);
      const at = textarea.selectionStart;
      const lead = at && textarea.value[at - 1] !== "\n" ? "\n\n" : "";
      const isWriting = textarea.value !== before;
      insert(textarea, at, textarea.selectionEnd, `${lead}![](${result.path})\n`);
      isHeld = form.dataset.uploading === "held";
      // The description comes next, unless something else is being written.
      if (!isHeld && !isWriting) {
        textarea.selectionEnd = at + lead.length + 2;
        toast(hirobaText("social.script.describe-image"));
      }
    } catch (failure) {
      const message = failure instanceof Error && failure.message ? failure.message : hirobaText("social.script.upload-failed");
      toast(message);
    } finally {
      event.target.value = "";
      event.target.disabled = false;
      button.classList.remove("busy");
      label.textContent = name;
      delete form.dataset.uploading;
    }
    if (isHeld && form.isConnected) form.requestSubmit();
  });

  // What is sent while an image is still uploaded waits for it.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.uploading) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    form.dataset.uploading = "held";
    toast(hirobaText("social.script.upload-first"));
  }, true);

  // A click anywhere on a post opens it, unless it was meant for something in it or for selecting text.
  document.addEventListener("click", (event) => {
    const post = event.target.closest(".post:not(.expanded)");
    if (!post || event.target.closest("a, button, summary, details, input, label, pre, table")) return;
    if (String(getSelection())) return;
    post.querySelector("a.time").click();
  });

  // New posts are announced by a button and shown on demand. A post that sorts after the last one shown comes with "More".
  const isFurtherDown = (id) => {
    const last = document.querySelector("#items > li:has(+ .more) > article");
    return last !== null && `post-${id}` < last.id;
  };
  document.addEventListener("live:post", ({ detail: { id } }) => {
    const box = document.querySelector("[data-live]");
    if (!box) return;
    // Events are not ordered by id and repeat after a reconnect, so each post counts once.
    box.announced ??= new Set();
    if (box.announced.has(id)) return;
    box.announced.add(id);
    if (id > box.dataset.after) box.dataset.after = id;
    if (document.getElementById(`post-${id}`) || isFurtherDown(id)) return;
    const number = Number(box.dataset.number || 0) + 1;
    box.dataset.number = number;
    const button = box.querySelector("a");
    button.querySelector("span").textContent = hirobaText("social.script.new-posts", { count: number });
    button.hidden = false;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const box = event.target.closest?.("[data-live]");
    if (!box || !event.detail.successful) return;
    delete box.dataset.number;
    box.querySelector("a").hidden = true;
  });

  // A focused "More" hands the focus to the first row that replaces it.
  let lastBefore = null;
  document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
    if (shouldSwap && target.matches(".more") && target.contains(document.activeElement)) {
      lastBefore = target.previousElementSibling;
    }
  });
  document.addEventListener("htmx:afterSettle", () => {
    const first = lastBefore?.nextElementSibling?.querySelector("article, a");
    lastBefore = null;
    if (!first) return;
    if (first.matches("article")) first.tabIndex = -1;
    first.focus({ preventScroll: true });
  });

  // Only the results are swapped, so that typing goes on; the validity of the field is set here.
  document.addEventListener("htmx:afterSettle", () => {
    const field = document.getElementById("q");
    if (!field) return;
    const invalid = document.getElementById("q-error") !== null;
    if (invalid) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", "q-error");
    } else {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
  });

  // Direct messages: the count of unread threads, and what is new in the thread that is shown. The stream holds no messages.
  const maxUnread = 99;
  document.addEventListener("live:messages", ({ detail: { unread } }) => {
    const number = unread > maxUnread ? `${maxUnread}+` : unread || "";
    const name = (place) => hirobaText("social.script.unread-threads", { place, count: number });
    document.querySelectorAll('[data-badge="/messages"]').forEach((link) => {
      link.querySelector(".badge").textContent = number;
      link.setAttribute("aria-label", unread ? name(link.dataset.label) : link.dataset.label);
    });
    showNewMessages();
  });
  let fetching = null;
  let again = false;
  const isAtEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - 160;
  const showNewMessages = async () => {
    const list = document.querySelector("[data-thread]");
    if (!list) return;
    if (fetching === list) {
      again = true;
      return;
    }
    fetching = list;
    try {
      do {
        again = false;
        const answer = await fetch(`/messages/${list.dataset.thread}/new?after=${list.dataset.last}`, { headers: { "HX-Request": "true" } });
        if (!answer.ok || answer.redirected || !list.isConnected) return;
        const part = document.createElement("template");
        part.innerHTML = await answer.text();
        const follow = isAtEnd();
        list.querySelectorAll(".seen").forEach((seen) => seen.remove());
        part.content.querySelectorAll("[data-number]").forEach((item) => {
          if (document.getElementById(item.id)) item.remove();
          else list.dataset.last = Math.max(Number(list.dataset.last), Number(item.dataset.number));
        });
        const added = [...part.content.children];
        list.append(part.content);
        added.forEach((item) => htmx.process(item));
        if (added.length) document.getElementById("no-messages")?.remove();
        if (follow && added.length) scrollTo(0, document.documentElement.scrollHeight);
      } while (again);
    } catch { /* the next signal asks again */ } finally {
      if (fetching === list) fetching = null;
    }
  };
  document.addEventListener("input", (event) => {
    if (event.target.closest?.("form[data-message]")) count(event.target);
  });

  // A reply is shown first, and what it replies to above it. After this, htmx scrolls a boosted page to its top.
  const showOpened = () => {
    const opened = document.querySelector(".ancestors ~ .post.expanded");
    if (!opened || location.hash) return;
    opened.tabIndex = -1;
    requestAnimationFrame(() => {
      opened.focus({ preventScroll: true });
      opened.scrollIntoView({ block: "start" });
    });
  };

  const prepare = () => {
    showOpened();
    // What came while the page was fetched was shown on the one before it.
    showNewMessages();
    document.querySelectorAll("form[data-message]").forEach((form) => {
      form.querySelectorAll(".js-only").forEach((element) => { element.hidden = false; });
      if (document.querySelector("[data-thread]") && !location.hash) scrollTo(0, document.documentElement.scrollHeight);
    });
    document.querySelectorAll("form[data-composer]").forEach((form) => {
      const { content } = form.elements;
      content.setAttribute("aria-autocomplete", "list");
      content.setAttribute("aria-haspopup", "listbox");
      content.setAttribute("aria-controls", `${content.id}-suggestions`);
      form.querySelectorAll(".js-only").forEach((element) => { element.hidden = false; });
      restoreDraft(form);
      count(content);
    });
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === document.body) prepare();
  });
  document.addEventListener("DOMContentLoaded", prepare);
})();
