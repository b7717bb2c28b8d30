"use strict";

// Pages work without this file: questions are answered by a page, files are sent by their form, citations lead to the
// source. It lets answers come in while they are written, opens chunks beside the page and shows the progress of uploads.
(() => {
  const pageOf = (element) => element?.closest?.(".knowledge-page");

  // Fields that say nothing would only make addresses long.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!detail.elt.matches?.("[data-seek], .source-filters")) return;
    for (const name of [...detail.formData.keys()]) {
      if (!detail.formData.get(name)) detail.formData.delete(name);
    }
  });

  // --- Passages

  let opener = null;
  const open = async (url, link) => {
    const panel = document.getElementById("panel");
    const content = document.getElementById("panel-content");
    if (!panel) return false;
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html", "HX-Request": "true" } });
      // Who is not signed in any more is led to the page to log in, which is not a chunk.
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
  const aroundOf = (link) => {
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
    const around = aroundOf(link);
    if (!around || !document.getElementById("panel")) return;
    event.preventDefault();
    event.stopPropagation();
    open(around, link).then((opened) => { if (!opened) location.assign(link.href); });
  }, true);

  document.addEventListener("close", (event) => {
    if (event.target.id === "panel") opener?.focus();
  }, true);

  // --- Answers

  let asking = null;

  // Server-sent events of an answer to POST, which an EventSource cannot ask for.
  const read = async (answer, tell) => {
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
        if (name) tell(name, data);
      }
    }
  };

  const over = (words) => {
    const answer = document.getElementById("answer");
    if (!answer) return;
    answer.classList.remove("coming");
    answer.querySelector("[data-stop]")?.remove();
    answer.querySelector(".thinking")?.remove();
    const kind = document.getElementById("answer-kind");
    if (words === "Stopped" && kind) kind.textContent = words;
    const status = document.getElementById("found-status");
    if (status) status.textContent = words;
  };

  const complain = (words) => {
    over(words);
    const note = document.getElementById("answer-note");
    const box = document.createElement("p");
    box.className = "alert bad";
    box.setAttribute("role", "alert");
    box.textContent = words;
    (note ?? document.getElementById("found")).replaceChildren(box);
  };

  // Everything that arrives is HTML which the server made of the model's Markdown.
  const put = (name, html) => {
    const found = document.getElementById("found");
    if (!found) return;
    if (name === "card") {
      found.innerHTML = html;
      globalThis.htmx?.process(found);
    } else if (name === "text") {
      const text = document.getElementById("answer-text");
      if (text) text.innerHTML = html;
    } else if (name === "done") {
      over("Answered");
    } else if (name === "problem") {
      complain(html);
    }
  };

  const ask = async (form) => {
    const question = form.elements.q.value.trim();
    if (!question) {
      form.elements.q.focus();
      return;
    }
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    history.pushState({ htmx: true }, "", `/knowledge?way=ask&q=${encodeURIComponent(question)}`);
    try {
      const answer = await fetch("/knowledge/ask", {
        method: "POST",
        headers: { Accept: "text/event-stream", "HX-Request": "true" },
        body: new URLSearchParams(new FormData(form)),
        signal: mine.signal,
      });
      if (!answer.ok) {
        const problem = await answer.json().catch(() => ({}));
        complain(problem.detail ?? "The question was rejected.");
        return;
      }
      await read(answer, (name, data) => { if (asking === mine) put(name, data); });
      if (asking === mine && document.querySelector("#answer.coming")) complain("The answer was interrupted. Try again.");
    } catch (failure) {
      if (failure.name === "AbortError") {
        if (asking === mine) over("Stopped");
      } else {
        complain("The server cannot be reached. Try again in a moment.");
      }
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-seek]")) {
      if (event.submitter?.id !== "ask") {
        asking?.abort();
        asking = null;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      ask(form);
    } else if (form.matches("[data-source-files]")) {
      event.preventDefault();
      event.stopPropagation();
      const input = form.querySelector("input[type=file]");
      send(form, [...input.files]);
      input.value = "";
    }
  }, true);

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-stop]")) asking?.abort();
  });

  // What takes the answer's place, or leaves the page, ends the answer.
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.elt.matches?.("[data-seek]") || detail.boosted) {
      asking?.abort();
      asking = null;
    }
  });

  // --- Files

  // One after another: a server that reads a document is busy with it.
  let waiting = Promise.resolve();
  const send = (form, files) => {
    const list = document.getElementById("uploads");
    for (const file of files) {
      const item = document.createElement("li");
      const name = document.createElement("span");
      const told = document.createElement("span");
      const bar = document.createElement("progress");
      name.textContent = file.name;
      told.className = "told";
      told.textContent = "Waiting";
      bar.className = "progress";
      bar.max = 1;
      bar.value = 0;
      bar.setAttribute("aria-label", `Upload of ${file.name}`);
      item.append(name, told, bar);
      list.append(item);
      const most = Number(form.dataset.largest);
      if (file.size > most) {
        item.className = "bad";
        told.textContent = `Larger than ${most >> 20} MB.`;
        bar.remove();
        continue;
      }
      const data = new FormData(form);
      data.delete("file");
      data.append("file", file, file.name);
      waiting = waiting.then(() => sendOne(form.action, data, item, name, told, bar));
    }
    waiting = waiting.then(refreshSources);
  };

  const sendOne = (url, data, item, name, told, bar) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const fail = (words) => {
      item.className = "bad";
      told.textContent = words;
      bar.remove();
      resolve();
    };
    request.open("POST", url);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = loaded / total;
      told.textContent = loaded < total ? `${Math.floor((loaded * 100) / total)} %` : "Processing";
    });
    request.addEventListener("error", () => fail("The server cannot be reached. Try again."));
    request.addEventListener("load", () => {
      const answer = request.response ?? {};
      if (request.status >= 300) {
        fail(answer.detail ?? "The file was rejected.");
        return;
      }
      item.className = "good";
      told.textContent = answer.outcome;
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

  const refreshSources = () => {
    if (!document.getElementById("sources-box")) return;
    return globalThis.htmx?.ajax("GET", location.pathname + location.search, { target: "#sources-box", select: "#sources-box", swap: "outerHTML" });
  };

  // What is dropped is sent at once: nothing else is left to be said.
  document.addEventListener("drop", (event) => {
    const form = event.target.closest?.("[data-source-files]");
    if (!form || !event.dataTransfer.files.length) return;
    event.preventDefault();
    event.stopPropagation();
    form.querySelector(".drop-zone").classList.remove("over");
    send(form, [...event.dataTransfer.files]);
  }, true);

  // --- Scrolls to the chunk or message that the URL names.
  const show = () => {
    document.querySelector(".passages > .marked")?.scrollIntoView({ block: "center" });
    const message = document.getElementById("messages") && location.hash.match(/^#m(\d{1,8})$/);
    if (!message || document.getElementById(`m${message[1]}`)) return;
    const url = new URL(location.href);
    if (url.searchParams.has("before")) return;
    // It lies further back than what is shown at first.
    url.searchParams.set("before", Number(message[1]) + 20);
    location.replace(url);
  };
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === document.body) show();
  });
})();
