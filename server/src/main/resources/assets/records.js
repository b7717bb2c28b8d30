"use strict";

// Pages work without this file: records are changed by their forms. It adds a picker for references, moves cards
// of boards and shows the progress of uploads.
(() => {
  document.addEventListener("click", (event) => {
    const remove = event.target.closest("[data-remove]");
    if (remove) {
      remove.closest(remove.dataset.remove).remove();
      return;
    }
    const name = event.target.closest("[data-insert]");
    if (name) {
      const field = document.getElementById(name.closest("[data-insert-into]").dataset.insertInto);
      field.setRangeText(name.dataset.insert, field.selectionStart, field.selectionEnd, "end");
      field.focus();
      return;
    }
    document.querySelectorAll("details.tool[open]").forEach((tool) => {
      // An element that this click swapped away is not outside.
      if (event.target.isConnected && !tool.contains(event.target)) tool.open = false;
    });
  });

  // The chosen options of a condition are one value of its form.
  document.addEventListener("change", (event) => {
    const several = event.target.closest("[data-several-values]");
    if (!several) return;
    const chosen = [...several.querySelectorAll("input:checked")];
    several.querySelector("input[type=hidden]").value = chosen.map((each) => each.value).join(", ");
    const words = chosen.map((each) => each.parentElement.textContent.trim()).join(", ");
    several.querySelector("summary").textContent = words || several.dataset.choose;
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelectorAll("details.tool[open]").forEach((tool) => {
      tool.open = false;
      tool.querySelector("summary").focus();
    });
  });

  // A new attribute gets the next free index in the form.
  document.addEventListener("htmx:configRequest", (event) => {
    const list = event.detail.elt.dataset?.next;
    if (!list) return;
    const taken = [...document.querySelectorAll(`#${list} input[name$=".name"]`)].map((each) => parseInt(each.name.slice(1), 10));
    event.detail.parameters.place = Math.max(-1, ...taken) + 1;
  });

  // Picker of records and people: the original input holds the id and becomes hidden, a search input takes its place. Of several, each that
  // is chosen is a checked box before it.
  const pickers = new WeakSet();
  const attachPicker = (box) => {
    if (pickers.has(box)) return;
    pickers.add(box);
    const several = "several" in box.dataset;
    const idInput = box.querySelector(several ? "[data-search]" : "input");
    if (!idInput || idInput.readOnly) return;
    const search = document.createElement("input");
    search.type = "search";
    search.autocomplete = "off";
    search.placeholder = hirobaText("records.script.search");
    search.value = idInput.dataset.shown || idInput.value;
    search.setAttribute("role", "combobox");
    search.setAttribute("aria-expanded", "false");
    for (const name of ["aria-label", "aria-invalid", "aria-describedby"]) {
      if (idInput.hasAttribute(name)) search.setAttribute(name, idInput.getAttribute(name));
    }
    if (idInput.id) {
      search.id = idInput.id;
      idInput.removeAttribute("id");
    }
    idInput.type = "hidden";
    idInput.removeAttribute("aria-invalid");
    const list = document.createElement("div");
    list.className = "choices";
    list.setAttribute("role", "listbox");
    list.hidden = true;
    box.append(search, list);
    let lastRequest = 0;
    let timer = null;

    const close = () => {
      // An answer that comes later would open the list again.
      lastRequest++;
      clearTimeout(timer);
      list.hidden = true;
      search.setAttribute("aria-expanded", "false");
    };
    const add = (option) => {
      const known = [...box.querySelectorAll("input[type=checkbox]")].find((each) => each.value === option.dataset.id);
      if (known) {
        known.checked = true;
      } else {
        const label = document.createElement("label");
        label.className = "check";
        const check = document.createElement("input");
        check.type = "checkbox";
        check.name = idInput.name;
        check.value = option.dataset.id;
        check.checked = true;
        const title = document.createElement("span");
        title.textContent = option.textContent;
        label.append(check, title);
        idInput.before(label);
      }
      idInput.value = "";
      search.value = "";
      close();
    };
    const select = (option) => {
      if (several) {
        add(option);
        return;
      }
      idInput.value = option.dataset.id;
      search.value = option.textContent;
      close();
    };
    const load = async (prefix) => {
      const request = ++lastRequest;
      const answer = await fetch(`${box.dataset.picker}?q=${encodeURIComponent(prefix)}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const { choices } = await answer.json();
      if (request !== lastRequest) return;
      list.replaceChildren(...choices.map(({ id, title }) => {
        const option = document.createElement("div");
        option.setAttribute("role", "option");
        option.dataset.id = id;
        option.textContent = title;
        return option;
      }));
      if (!choices.length) {
        const none = document.createElement("div");
        none.className = "none";
        none.textContent = hirobaText("records.script.no-matches");
        list.append(none);
      }
      list.hidden = false;
      search.setAttribute("aria-expanded", "true");
    };
    search.addEventListener("focus", () => {
      search.select();
      load("");
    });
    search.addEventListener("input", () => {
      // The typed text may itself be an id.
      idInput.value = search.value;
      clearTimeout(timer);
      timer = setTimeout(() => load(search.value), 150);
    });
    list.addEventListener("mousedown", (event) => {
      const option = event.target.closest("[role=option]");
      event.preventDefault();
      if (option) select(option);
    });
    search.addEventListener("blur", close);
    search.addEventListener("keydown", (event) => {
      const options = [...list.querySelectorAll("[role=option]")];
      const at = options.findIndex((each) => each.getAttribute("aria-selected") === "true");
      if ((event.key === "ArrowDown" || event.key === "ArrowUp") && options.length) {
        event.preventDefault();
        const next = options[(at + (event.key === "ArrowDown" ? 1 : options.length - 1 + (at < 0 ? 1 : 0))) % options.length];
        options.forEach((each) => each.setAttribute("aria-selected", String(each === next)));
        next.scrollIntoView({ block: "nearest" });
      } else if (event.key === "Enter" && !list.hidden && options.length && (at >= 0 || search.value)) {
        event.preventDefault();
        select(options[Math.max(0, at)]);
      }
    });
  };

  // Uploads go in chunks, so that progress shows and an interrupted upload resumes.
  const upload = async (form) => {
    const file = form.querySelector("input[type=file]").files[0];
    const bar = form.querySelector("progress");
    const status = form.querySelector("[data-upload-status]");
    const button = form.querySelector("button[type=submit]");
    button.disabled = true;
    bar.hidden = false;
    const fail = (message) => {
      status.textContent = message;
      status.className = "error";
      button.disabled = false;
    };
    const data = new FormData(form);
    data.delete("file");
    data.delete("pasted");
    data.set("source", file.name);
    data.set("size", file.size);
    data.set("modified", file.lastModified);
    let answer = {};
    try {
      const begun = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(data) });
      answer = await begun.json().catch(() => ({}));
      if (!begun.ok || !answer.content) return fail(answer.detail ?? hirobaText("records.script.refused"));
    } catch {
      return fail(hirobaText("shell.script.unreachable"));
    }
    const chunkSize = 8 << 20;
    let offset = answer.received;
    for (let failures = 0; offset < file.size;) {
      try {
        const sent = await fetch(answer.content, {
          method: "PATCH",
          headers: { "Content-Type": "application/octet-stream", Accept: "application/json", "Upload-Offset": String(offset) },
          body: file.slice(offset, offset + chunkSize),
        });
        if (!sent.ok && sent.status < 500 && sent.status !== 429) {
          const refusal = await sent.json().catch(() => ({}));
          // A chunk whose response was lost has arrived already; the offset is queried below.
          if (refusal.code !== "records.wrong-offset") return fail(refusal.detail ?? hirobaText("records.script.refused"));
        }
        if (!sent.ok) throw new Error(`status ${sent.status}`);
        offset = Number(sent.headers.get("Upload-Offset"));
        failures = 0;
        bar.value = offset / file.size;
        status.className = "small";
        status.textContent = hirobaText("records.script.progress", { percent: Math.floor((offset * 100) / file.size), size: Math.ceil(file.size / 1024) });
      } catch {
        if (++failures > 15) return fail(hirobaText("records.script.broken"));
        status.textContent = hirobaText("records.script.resuming");
        await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** (failures - 1), 15000)));
        // Part of the chunk may have arrived.
        const state = await fetch(answer.content, { method: "HEAD" }).catch(() => null);
        if (state?.ok) offset = Number(state.headers.get("Upload-Offset"));
      }
    }
    location.assign(answer.page);
  };

  document.addEventListener("submit", (event) => {
    // What is pasted goes with the form.
    if (!event.target.matches("[data-import-file]") || !event.target.querySelector("input[type=file]").files.length) return;
    event.preventDefault();
    event.stopPropagation();
    upload(event.target);
  }, true);

  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const zone = event.target.closest?.(".drop-zone");
      if (!zone) return;
      event.preventDefault();
      zone.classList.toggle("over", kind === "dragover");
      if (kind === "drop") zone.querySelector("input[type=file]").files = event.dataTransfer.files;
    });
  }

  // Boards: a card is dragged to another lane, or moved by Shift and an arrow key. Its form does both.
  const moveCard = (card, lane) => {
    const form = card?.querySelector("[data-move]");
    if (!form || !lane || lane.contains(card)) return;
    form.elements.to.value = lane.dataset.lane;
    form.requestSubmit();
  };
  let dragged = null;
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-card]") ?? null;
    if (dragged) event.dataTransfer.setData("text/plain", dragged.dataset.card);
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const lane = event.target.closest?.(".lane");
      if (!lane || !dragged) return;
      event.preventDefault();
      lane.classList.toggle("over", kind === "dragover");
      if (kind === "drop") moveCard(dragged, lane);
    });
  }
  document.addEventListener("dragend", () => { dragged = null; });
  document.addEventListener("keydown", (event) => {
    if (!event.shiftKey || !event.target.matches?.("[data-card]") || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    const lane = event.target.closest(".lane");
    moveCard(event.target, event.key === "ArrowLeft" ? lane.previousElementSibling : lane.nextElementSibling);
  });

  globalThis.hirobaRecords = { attachPicker };

  // The focus follows a card that was moved.
  document.addEventListener("htmx:afterSwap", (event) => {
    document.querySelectorAll("[data-picker]").forEach(attachPicker);
    const { xhr } = event.detail;
    if (xhr?.responseURL.endsWith("/move")) {
      document.getElementById(`c-${event.detail.requestConfig.parameters.row ?? event.detail.requestConfig.formData?.get("row")}`)?.focus();
    }
  });
  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("[data-picker]").forEach(attachPicker));
})();
