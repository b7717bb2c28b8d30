"use strict";

// One connection a page for all that is live. Each message becomes an event of the document: "live:card", "live:count",
// "live:post" and "live:inbox", with what the server sent as detail. Pages work without this file.
(() => {
  const events = ["card", "count", "post", "inbox"];
  const retryMs = 30_000;
  let live = null;
  let last = { reader: null, id: "" };

  const stop = () => {
    live?.source.close();
    live = null;
  };

  // Whose page it is, and the list of posts on it, unless it shows a later part of one. A page nobody sees needs nothing.
  const wish = () => {
    const page = document.querySelector("[data-stream]");
    if (!page || document.hidden) return null;
    const further = new URLSearchParams(location.search).has("after");
    return { reader: page.dataset.stream, box: further ? null : document.querySelector("[data-live]") };
  };

  const start = () => {
    const wanted = wish();
    if (live && wanted && live.reader === wanted.reader && live.box === wanted.box) return;
    stop();
    if (!wanted) return;
    const { reader, box } = wanted;
    const query = new URLSearchParams();
    if (box) {
      query.set("posts", box.dataset.live);
      query.set("after", box.dataset.after);
    }
    // A page may say itself how far it knows what there is: what came while it was under way is told, too.
    const known = last.reader === reader ? last.id : document.querySelector("[data-known]")?.dataset.known;
    if (known) query.set("lastEventId", known);
    const source = new EventSource(`/api/v1/stream?${query}`);
    live = { reader, box, source };
    events.forEach((name) => source.addEventListener(name, ({ data, lastEventId }) => {
      last = { reader, id: lastEventId };
      document.dispatchEvent(new CustomEvent(`live:${name}`, { detail: JSON.parse(data) }));
    }));
    // Too many windows of this reader are open: another one has taken over, and coming back would push it out.
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
