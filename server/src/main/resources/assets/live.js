"use strict";

// One EventSource per page for all live updates. Each message becomes a document event ("live:card", "live:count",
// "live:post", "live:inbox", "live:messages", "live:run", "live:record", "live:presence") with the payload as detail. Pages work without this file.
(() => {
  const events = ["card", "count", "post", "inbox", "messages", "run", "record", "presence"];
  const retryMs = 30_000;
  const maxRuns = 100;
  let live = null;
  let last = { reader: null, id: "" };

  const stop = () => {
    live?.source.close();
    live = null;
  };

  // The viewer and the list of posts on the page, unless it shows a later part of the list. Hidden pages need no stream.
  const subscription = () => {
    const page = document.querySelector("[data-stream]");
    if (!page || document.hidden) return null;
    const isLaterPage = new URLSearchParams(location.search).has("after");
    return { reader: page.dataset.stream, box: isLaterPage ? null : document.querySelector("[data-live]"), runs: shownPosts(), records: document.querySelector("[data-live-records]")?.dataset.liveRecords };
  };

  // The posts or messages of a thread, to which agents may be replying.
  const shownPosts = () => {
    if (!document.querySelector("[data-runs]")) return "";
    const posts = [...document.querySelectorAll(".post.expanded, #items .post[id^=post-]")];
    const messages = [...document.querySelectorAll("#messages [data-message-id]")].reverse();
    return [...posts.map((post) => post.id.slice("post-".length)), ...messages.map((message) => message.dataset.messageId)].slice(0, maxRuns).join(",");
  };

  const start = () => {
    const wanted = subscription();
    if (live && wanted && live.reader === wanted.reader && live.box === wanted.box && live.runs === wanted.runs && live.records === wanted.records) return;
    stop();
    if (!wanted) return;
    const { reader, box, runs, records } = wanted;
    const query = new URLSearchParams();
    if (box) {
      query.set("posts", box.dataset.live);
      query.set("after", box.dataset.after);
    }
    if (runs) query.set("runs", runs);
    if (records) query.set("records", records);
    // A page may carry the id of the last event it includes, so that events sent while it loaded are not lost.
    const known = last.reader === reader ? last.id : document.querySelector("[data-known]")?.dataset.known;
    if (known) query.set("lastEventId", known);
    const source = new EventSource(`/api/v1/stream?${query}`);
    live = { reader, box, runs, records, source };
    events.forEach((name) => source.addEventListener(name, ({ data, lastEventId }) => {
      last = { reader, id: lastEventId };
      document.dispatchEvent(new CustomEvent(`live:${name}`, { detail: JSON.parse(data) }));
    }));
    // The viewer has too many streams open and another window took this slot; reconnecting would evict that one.
    source.addEventListener("full", () => source.close());
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => {
        if (live?.source !== source) return;
        stop();
        start();
      }, retryMs);
    });
  };

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", start);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === document.body) start();
  });
})();
