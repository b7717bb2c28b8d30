"use strict";

// Shows what agents write in reply to the posts of a thread or the messages of a private one, and puts their replies in its place. Pages work without this file.
(() => {
  // The newest state of each run, and the runs that are being shown: states that come meanwhile are shown together.
  const latest = new Map();
  const showing = new Set();

  const load = async (url, id) => {
    const answer = await fetch(url, { headers: { Accept: "text/html" } }).catch(() => null);
    // A redirect leads to the login page.
    if (!answer?.ok || answer.redirected) return null;
    const element = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
    return element && document.importNode(element, true);
  };

  // At the end of a private thread, or of the replies to a post, before the link to more of them.
  const insert = (post, element) => {
    if (post.matches("[data-message-id]")) {
      const item = document.createElement("li");
      item.className = "writing";
      item.append(element);
      post.closest("ol").append(item);
      return;
    }
    let list = post.classList.contains("expanded")
      ? document.getElementById("items")
      : post.parentElement.querySelector(":scope > ol.replies");
    if (!list) {
      list = document.createElement("ol");
      list.className = "replies";
      post.after(list);
    }
    const item = document.createElement("li");
    item.append(element);
    list.insertBefore(item, list.querySelector(":scope > li.more"));
    list.closest("section")?.removeAttribute("hidden");
  };

  const remove = (element) => {
    const list = element?.closest("ol");
    element?.closest("li")?.remove();
    if (list?.id === "items" && !list.children.length) list.closest("section").hidden = true;
  };

  const put = (post, before, element) => {
    if (before) before.replaceWith(element);
    else insert(post, element);
    globalThis.htmx?.process(element);
  };

  const write = (element, { html, tool }) => {
    element.querySelector("[data-text]").innerHTML = html;
    const used = element.querySelector("[data-tool]");
    used.hidden = !tool;
    used.querySelector("code").textContent = tool ?? "";
  };

  const show = async (run) => {
    const find = () => ({ post: document.getElementById(`post-${run.postId}`) ?? document.querySelector(`#messages [data-message-id="${run.postId}"]`), shown: document.getElementById(`run-${run.id}`) });
    const { post, shown } = find();
    if (!post) return;
    if (run.state === "running" && shown?.matches("[data-writing]")) {
      write(shown, run);
    } else if (run.state === "running" || run.state === "stopped") {
      const element = await load(`/agents/${run.agentId}/runs/${run.id}/live`, `run-${run.id}`);
      const now = find();
      if (element && now.post) put(now.post, now.shown, element);
    } else if (run.state === "refused") {
      // Whoever called it may be told why.
      const element = await load(`/agents/${run.agentId}/runs/${run.id}/live`, `run-${run.id}`);
      const now = find();
      if (now.post && element?.textContent.trim()) put(now.post, now.shown, element);
      else remove(now.shown);
    } else if (run.replyId && post.matches("[data-message-id]")) {
      // The message itself comes as any other.
      remove(shown);
    } else if (run.replyId && !document.getElementById(`post-${run.replyId}`)) {
      const reply = await load(`/posts/${run.replyId}`, `post-${run.replyId}`);
      const now = find();
      if (!now.post || document.getElementById(`post-${run.replyId}`)) return;
      if (reply) {
        reply.classList.remove("expanded");
        put(now.post, now.shown, reply);
      } else {
        remove(now.shown);
      }
    } else {
      remove(shown);
    }
  };

  const showLatest = async (id) => {
    if (showing.has(id)) return;
    showing.add(id);
    try {
      while (latest.has(id)) {
        const run = latest.get(id);
        latest.delete(id);
        await show(run);
      }
    } finally {
      showing.delete(id);
    }
  };

  document.addEventListener("live:run", ({ detail }) => {
    latest.set(detail.id, detail);
    showLatest(detail.id);
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-stop-run]");
    if (!button) return;
    button.disabled = true;
    // Whether it was stopped or had ended, the stream tells.
    const answer = await fetch(button.dataset.stopRun, { method: "POST", headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok && answer?.status !== 409) button.disabled = false;
  });
})();
