"use strict";

// Pages work without this file. It streams answers, opens chunks in a panel and shows the progress of uploads.
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
    if (!link.closest("#answer-text")) return null;
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

  // --- Answers

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

  const finish = (message, stopped = false) => {
    const answer = document.getElementById("answer");
    if (!answer) return;
    answer.classList.remove("streaming");
    answer.querySelector("[data-stop]")?.remove();
    answer.querySelector(".thinking")?.remove();
    const kind = document.getElementById("answer-kind");
    if (stopped && kind) kind.textContent = message;
    const status = document.getElementById("found-status");
    if (status) status.textContent = message;
  };

  const showError = (message) => {
    finish(message);
    const note = document.getElementById("answer-note");
    const box = document.createElement("p");
    box.className = "alert bad";
    box.setAttribute("role", "alert");
    box.textContent = message;
    (note ?? document.getElementById("found")).replaceChildren(box);
  };

  // The events carry HTML that the server rendered from the model's Markdown.
  const render = (name, html) => {
    const found = document.getElementById("found");
    if (!found) return;
    if (name === "card") {
      found.innerHTML = html;
      globalThis.htmx?.process(found);
    } else if (name === "text") {
      const text = document.getElementById("answer-text");
      if (text) text.innerHTML = html;
    } else if (name === "done") {
      finish(hirobaText("knowledge.script.answered"));
    } else if (name === "problem") {
      showError(html);
    }
  };

  const ask = async (form) => {
    const question = form.elements.q.value.trim();
    if (!question) {
      form.elements.q.focus();
      return;
    }
    pendingAnswer?.abort();
    const controller = new AbortController();
    pendingAnswer = controller;
    history.pushState({ htmx: true }, "", `/knowledge?way=ask&q=${encodeURIComponent(question)}`);
    try {
      const answer = await fetch("/knowledge/ask", {
        method: "POST",
        headers: { Accept: "text/event-stream", "HX-Request": "true" },
        body: new URLSearchParams(new FormData(form)),
        signal: controller.signal,
      });
      if (!answer.ok) {
        const problem = await answer.json().catch(() => ({}));
        showError(problem.detail ?? hirobaText("knowledge.script.question-rejected"));
        return;
      }
      await readEvents(answer, (name, data) => { if (pendingAnswer === controller) render(name, data); });
      if (pendingAnswer === controller && document.querySelector("#answer.streaming")) showError(hirobaText("knowledge.script.interrupted"));
    } catch (failure) {
      if (failure.name === "AbortError") {
        if (pendingAnswer === controller) finish(hirobaText("knowledge.script.stopped"), true);
      } else {
        showError(hirobaText("shell.script.unreachable"));
      }
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-search]")) {
      if (event.submitter?.id !== "ask") {
        pendingAnswer?.abort();
        pendingAnswer = null;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      ask(form);
    } else if (form.matches("[data-source-files]")) {
      event.preventDefault();
      event.stopPropagation();
      const input = form.querySelector("input[type=file]");
      uploadAll(form, [...input.files]);
      input.value = "";
    }
  }, true);

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-stop]")) pendingAnswer?.abort();
  });

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
  document.addEventListener("DOMContentLoaded", scrollToTarget);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === document.body) scrollToTarget();
  });
})();
