"use strict";

// Pages work without this file. It streams answers of conversations, opens chunks in a panel and shows the progress of uploads.
(() => {
  const pageOf = (element) => element?.closest?.(".knowledge-page");

  // Empty fields would only make URLs long.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!detail.elt.matches?.("[data-search], .source-filters")) return;
    for (const name of [...detail.formData.keys()]) {
      if (!detail.formData.get(name)) detail.formData.delete(name);
    }
  });

  // --- Chunk panel

  let opener = null;
  const openPanel = async (url, link) => {
    const panel = document.getElementById("panel");
    const content = document.getElementById("panel-content");
    if (!panel) return false;
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html", "HX-Request": "true" } });
      // A redirect leads to the login page, which is not a chunk.
      if (!answer.ok || answer.redirected) return false;
      content.innerHTML = await answer.text();
    } catch {
      return false;
    }
    globalThis.htmx?.process(content);
    opener = link;
    if (!panel.open) panel.showModal();
    content.focus();
    content.querySelector(".marked")?.scrollIntoView({ block: "center" });
    return true;
  };

  // A citation in an answer opens its chunk: the same URL, requested as a fragment.
  const contextUrl = (link) => {
    if (link.dataset.passage) return link.dataset.passage;
    if (!link.closest(".answer-text")) return null;
    const url = new URL(link.href);
    const chunk = url.searchParams.get("chunk");
    return chunk && url.pathname.startsWith("/knowledge/sources/") ? `${url.pathname}/around?chunk=${chunk}` : null;
  };

  document.addEventListener("click", (event) => {
    const panel = event.target.closest?.("#panel");
    if (event.target === panel) panel.close();
    const link = event.target.closest?.("a");
    if (!pageOf(link) || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    const context = contextUrl(link);
    if (!context || !document.getElementById("panel")) return;
    event.preventDefault();
    event.stopPropagation();
    openPanel(context, link).then((opened) => { if (!opened) location.assign(link.href); });
  }, true);

  document.addEventListener("close", (event) => {
    if (event.target.id === "panel") opener?.focus();
  }, true);

  // --- Conversations

  let pendingAnswer = null;

  // Reads server-sent events of a POST response, which EventSource cannot request.
  const readEvents = async (answer, onEvent) => {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const messages = rest.split("\n\n");
      rest = messages.pop();
      for (const message of messages) {
        const lines = message.split("\n");
        const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
        const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
        if (name) onEvent(name, data);
      }
    }
  };

  const composer = () => document.querySelector("form[data-chat]");

  const announce = (message) => {
    const status = document.getElementById("chat-status");
    if (status) status.textContent = message;
  };

  const setBusy = (busy) => {
    const form = composer();
    if (!form) return;
    form.querySelector("[data-send]").hidden = busy;
    form.querySelector("[data-stop]").hidden = !busy;
  };

  const showProblem = (message) => {
    const box = document.createElement("p");
    box.className = "alert bad";
    box.setAttribute("role", "alert");
    box.textContent = message;
    document.getElementById("chat-problem")?.replaceChildren(box);
  };

  // The fragments are rendered by the server, from the model's Markdown too.
  const showExchange = (list, html) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const exchange = holder.content.querySelector("li.exchange");
    const known = document.getElementById(exchange.id);
    if (known) {
      known.replaceWith(exchange);
    } else {
      list.append(exchange);
      exchange.scrollIntoView({ block: "start" });
    }
    globalThis.htmx?.process(exchange);
  };

  const render = (list, name, data) => {
    if (name === "exchange") {
      showExchange(list, data);
    } else if (name === "text") {
      const text = list.lastElementChild?.querySelector(".answer-text");
      if (text) text.innerHTML = data;
    } else if (name === "done") {
      announce(hirobaText("knowledge.script.answered"));
    } else if (name === "problem") {
      list.lastElementChild?.querySelector(".streaming")?.classList.remove("streaming");
      showProblem(data);
    }
  };

  // True unless the request was refused.
  const streamAnswer = async (url, body) => {
    const list = document.getElementById("exchanges");
    const controller = new AbortController();
    pendingAnswer = controller;
    document.getElementById("chat-problem")?.replaceChildren();
    setBusy(true);
    const isShown = () => pendingAnswer === controller && list.isConnected;
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { Accept: "text/event-stream", "HX-Request": "true" },
        body,
        signal: controller.signal,
      });
      if (!answer.ok) {
        const problem = await answer.json().catch(() => ({}));
        if (isShown()) showProblem(problem.detail ?? hirobaText("knowledge.script.question-rejected"));
        return false;
      }
      await readEvents(answer, (name, data) => { if (isShown()) render(list, name, data); });
      if (isShown() && list.querySelector(".streaming")) showProblem(hirobaText("knowledge.script.interrupted"));
    } catch {
      if (isShown()) showProblem(hirobaText("shell.script.unreachable"));
      return false;
    } finally {
      if (pendingAnswer === controller) {
        pendingAnswer = null;
        setBusy(false);
      }
    }
    return true;
  };

  const ask = async (form) => {
    const box = form.elements.q;
    const question = box.value.trim();
    if (!question || pendingAnswer) {
      box.focus();
      return;
    }
    box.value = "";
    const accepted = await streamAnswer(form.action, new URLSearchParams({ q: question }));
    if (!accepted && form.isConnected && !box.value) box.value = question;
  };

  // The server ends the stream, with what was said until then.
  const stopAnswer = async (form) => {
    const stopped = await fetch(`${form.dataset.chat}/stop`, { method: "POST", headers: { "HX-Request": "true" } }).catch(() => null);
    if (!stopped?.ok) pendingAnswer?.abort();
    if (!pendingAnswer) location.reload();
    announce(hirobaText("knowledge.script.stopped"));
  };

  const answerWaiting = () => {
    const waiting = document.querySelector("#exchanges > [data-waiting] [data-regenerate]");
    if (waiting && !pendingAnswer) streamAnswer(waiting.action);
  };

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches?.("[data-enter-sends]")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const handle = (action) => {
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    if (form.matches("[data-search]")) {
      if (event.submitter?.id !== "ask") return;
      // The browser sends the question itself: htmx would search for it.
      event.stopPropagation();
      if (!form.elements.q.value.trim()) {
        event.preventDefault();
        form.elements.q.focus();
      }
    } else if (form.matches("[data-chat]")) {
      handle(() => (event.submitter?.matches("[data-stop]") ? stopAnswer(form) : ask(form)));
    } else if (form.matches("[data-regenerate]")) {
      handle(() => { if (!pendingAnswer) streamAnswer(form.action); });
    } else if (form.matches("[data-source-files]")) {
      handle(() => {
        const input = form.querySelector("input[type=file]");
        uploadAll(form, [...input.files]);
        input.value = "";
      });
    }
  }, true);

  // A request that replaces the answer or leaves the page aborts it.
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.elt.matches?.("[data-search]") || detail.boosted) {
      pendingAnswer?.abort();
      pendingAnswer = null;
    }
  });

  // --- Progress of embedding, of every source on the page that is not ready yet

  const maxAsked = 50;
  let asked = [];
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, formData } = event.detail;
    if (!elt.matches?.("[data-progress]")) return;
    asked = [...document.querySelectorAll("[data-running]")].slice(0, maxAsked);
    if (!asked.length) event.preventDefault();
    formData.set("ids", asked.map(({ dataset }) => dataset.running).join(","));
  });
  // What the answer did not replace is there no more.
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful } }) => {
    if (!elt.matches?.("[data-progress]") || !successful) return;
    asked.filter((status) => status.isConnected).forEach((status) => status.removeAttribute("data-running"));
  });

  // --- Files

  // One upload at a time: parsing a document keeps the server busy. Those that wait go on while their page is left for another
  // one of Hiroba's, and are shown again where it comes back; what would end them asks first.
  let uploadQueue = Promise.resolve();
  let unfinished = 0;
  let left = [];
  const showUploads = () => {
    const list = document.getElementById("uploads");
    list?.append(...left);
    return !!list;
  };
  const uploadAll = (form, files) => {
    const list = document.getElementById("uploads");
    for (const file of files) {
      const item = document.createElement("li");
      const name = document.createElement("span");
      const status = document.createElement("span");
      const bar = document.createElement("progress");
      name.textContent = file.name;
      status.className = "upload-status";
      status.textContent = hirobaText("knowledge.script.waiting");
      bar.className = "progress";
      bar.max = 1;
      bar.value = 0;
      bar.setAttribute("aria-label", hirobaText("knowledge.script.upload-of", { name: file.name }));
      item.append(name, status, bar);
      list.append(item);
      const maxSize = Number(form.dataset.largest);
      if (file.size > maxSize) {
        item.className = "bad";
        status.textContent = hirobaText("knowledge.script.too-large", { size: maxSize >> 20 });
        bar.remove();
        continue;
      }
      const data = new FormData(form);
      data.delete("file");
      data.append("file", file, file.name);
      unfinished += 1;
      left.push(item);
      uploadQueue = uploadQueue.then(() => upload(form.action, data, item, name, status, bar)).then(uploaded);
    }
  };
  const uploaded = () => {
    unfinished -= 1;
    refreshSources();
    if (unfinished) return;
    if (!showUploads()) {
      const count = left.filter((item) => item.matches(".good")).length;
      toast(hirobaText("knowledge.script.uploads-finished", { count, all: left.length }));
    }
    left = [];
  };
  const toast = (message) => document.dispatchEvent(new CustomEvent("toast", { detail: { message } }));
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== document.body || !unfinished || showUploads()) return;
    toast(hirobaText("knowledge.script.uploads-unfinished", { count: unfinished }));
  });
  addEventListener("beforeunload", (event) => {
    if (unfinished) event.preventDefault();
  });

  const upload = (url, data, item, name, status, bar) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const fail = (message) => {
      item.className = "bad";
      status.textContent = message;
      bar.remove();
      resolve();
    };
    request.open("POST", url);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = loaded / total;
      status.textContent = loaded < total
        ? hirobaText("knowledge.script.percent", { percent: Math.floor((loaded * 100) / total) })
        : hirobaText("knowledge.script.processing");
    });
    request.addEventListener("error", () => fail(hirobaText("shell.script.unreachable")));
    request.addEventListener("load", () => {
      const answer = request.response ?? {};
      if (request.status >= 300) {
        fail(answer.detail ?? hirobaText("knowledge.script.file-rejected"));
        return;
      }
      item.className = "good";
      status.textContent = answer.outcome;
      const link = document.createElement("a");
      link.href = answer.page;
      link.textContent = name.textContent;
      name.replaceChildren(link);
      globalThis.htmx?.process(link);
      bar.remove();
      resolve();
    });
    request.send(data);
  });

  // One after the other: a request that htmx puts off would be swapped into the list that the one before has replaced.
  let refreshed = Promise.resolve();
  const refreshSources = () => {
    refreshed = refreshed.then(loadSources, loadSources);
  };
  const loadSources = () => {
    if (!document.getElementById("sources-box")) return;
    return globalThis.htmx?.ajax("GET", location.pathname + location.search, { target: "#sources-box", select: "#sources-box", swap: "outerHTML" });
  };

  // Dropped files are uploaded at once: the form has no other fields.
  document.addEventListener("drop", (event) => {
    const form = event.target.closest?.("[data-source-files]");
    if (!form || !event.dataTransfer.files.length) return;
    event.preventDefault();
    event.stopPropagation();
    form.querySelector(".drop-zone").classList.remove("over");
    uploadAll(form, [...event.dataTransfer.files]);
  }, true);

  // --- Scroll to the chunk or message that the URL names
  const scrollToTarget = () => {
    document.querySelector(".passages > .marked")?.scrollIntoView({ block: "center" });
    const message = document.getElementById("messages") && location.hash.match(/^#m(\d{1,8})$/);
    if (!message || document.getElementById(`m${message[1]}`)) return;
    const url = new URL(location.href);
    if (url.searchParams.has("before")) return;
    // The message is older than the first page.
    url.searchParams.set("before", Number(message[1]) + 20);
    location.replace(url);
  };
  const arrive = () => {
    scrollToTarget();
    // An answer of the page before is none of this one's; it goes on and is stored.
    if (!document.getElementById("exchanges")?.querySelector(".streaming")) pendingAnswer = null;
    answerWaiting();
  };
  document.addEventListener("DOMContentLoaded", arrive);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === document.body) arrive();
    // An answer of another window is complete.
    if (event.target.matches?.("li.exchange") && !pendingAnswer) setBusy(event.target.querySelector(".streaming") !== null);
  });
})();
