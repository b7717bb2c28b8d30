"use strict";

// What others do in the grid: their changes appear where the records stand, and their cursors at the cells that they are at.
(() => {
  const presenceMs = 12_000;
  const goneMs = 30_000;
  const countMs = 1000;
  const maxCounted = 10_000;
  const colors = ["#c2410c", "#0f766e", "#7c3aed", "#be185d", "#1d4ed8", "#4d7c0f"];

  globalThis.hirobaGrid.extend((grid) => {
    const session = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const peers = new Map(); // by their sessions
    const due = new Set(); // ids of rows to read again
    let created = new Set();
    let timer = 0;

    // ---- Changes

    const refresh = async () => {
      timer = 0;
      const ids = [...due].filter((id) => grid.rows.has(id) && !grid.drafts.isDraft(id));
      due.clear();
      if (!ids.length || !grid.table.isConnected) return;
      const fresh = await grid.fetchRows(ids).catch(() => null);
      if (!fresh) return;
      for (const id of ids) {
        const row = grid.rows.get(id);
        const now = fresh.get(id);
        if (!row) continue;
        if (!now) {
          if (!row.classList.contains("gone")) grid.markGone(row);
        } else if (Number(now.dataset.version) >= Number(row.dataset.version) || row.classList.contains("gone")) {
          const before = [...row.cells].map(grid.valueOf);
          grid.replace(row, now);
          [...row.cells].forEach((cell, at) => { if (at && grid.valueOf(cell) !== before[at] && !cell.classList.contains("editing")) cell.classList.add("told"); });
        }
      }
    };
    const schedule = () => { timer ||= setTimeout(refresh, 80); };

    const showCreated = () => {
      created = new Set([...created].filter((id) => !grid.rows.has(id)));
      let note = document.getElementById("grid-new");
      if (!note) {
        note = Object.assign(document.createElement("button"), { id: "grid-new", type: "button", className: "compact" });
        note.addEventListener("click", () => location.reload());
        document.getElementById("grid-status").after(note);
      }
      note.hidden = !created.size;
      note.textContent = grid.text(grid.table.dataset.narrowed ? "records.script.new-records-filtered" : "records.script.new-records", { count: created.size });
    };
    // Those that were made here are seen here.
    grid.hooks.created = () => { if (created.size) showCreated(); };

    // The number in the head, if it is exact: an estimate stays as good as it was.
    let counting = 0;
    const recount = async () => {
      counting = 0;
      const before = document.getElementById("count");
      if (!grid.table.isConnected || !before || before.querySelector("a")) return;
      const answer = await fetch(`${grid.path}${grid.query}${grid.query ? "&" : "?"}count=exact`, { headers: { "HX-Request": "true", Accept: "text/html" } }).catch(() => null);
      if (!answer?.ok) return;
      const count = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("count");
      if (count && count.textContent !== before.textContent) before.replaceWith(count);
    };

    const told = ({ rows = [], deleted = [], many = false }) => {
      if ((many || deleted.length || rows.some(({ version }) => version === 1)) && Number(grid.table.dataset.total || 0) <= maxCounted) counting ||= setTimeout(recount, countMs);
      if (many) grid.body.querySelectorAll("tr[data-id]").forEach((row) => due.add(row.dataset.id));
      for (const { id, version } of rows) {
        const row = grid.rows.get(id);
        if (!row) {
          if (version === 1) created.add(id);
        } else if (Number(row.dataset.version) < version || row.classList.contains("gone")) due.add(id);
      }
      deleted.forEach((id) => {
        created.delete(id);
        if (grid.rows.has(id) && !grid.rows.get(id).classList.contains("gone")) due.add(id);
      });
      if (created.size) showCreated();
      if (due.size) schedule();
    };

    // ---- Presence

    const unmark = (peer) => {
      peer.cell?.classList.remove("peer");
      peer.cell?.removeAttribute("data-peer");
      peer.cell?.style.removeProperty("--peer");
      peer.cell = null;
    };
    const mark = () => {
      for (const [id, peer] of peers) {
        unmark(peer);
        if (performance.now() - peer.at > goneMs) {
          peers.delete(id);
          continue;
        }
        const row = grid.rows.get(peer.row);
        const column = grid.columns.findIndex(({ name }) => name === peer.attribute);
        if (!row?.isConnected || row.classList.contains("gone") || column < 0) continue;
        peer.cell = row.cells[column + 1];
        peer.cell.classList.add("peer");
        peer.cell.dataset.peer = peer.nickname;
        peer.cell.style.setProperty("--peer", peer.color);
      }
    };
    grid.hooks.rows.push(mark);

    const met = ({ session: from, nickname, row, attribute }) => {
      if (from === session) return;
      const peer = peers.get(from) ?? { color: colors[[...from].reduce((sum, each) => sum + each.charCodeAt(0), 0) % colors.length] };
      if (!row) {
        unmark(peer);
        peers.delete(from);
        return;
      }
      peers.set(from, Object.assign(peer, { nickname, row, attribute, at: performance.now() }));
      mark();
    };

    let said = "";
    let saidAt = 0;
    let saying = 0;
    const place = () => {
      const row = grid.rowAt(grid.range.row);
      return row && !row.classList.contains("gone") && !grid.drafts.isDraft(row.dataset.id) ? { session, row: row.dataset.id, attribute: grid.columns[grid.range.column].name } : null;
    };
    const say = (body) => fetch(`${grid.path}/presence`, {
      method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body), keepalive: true,
    }).catch(() => {});
    const tell = () => {
      saying = 0;
      const here = place();
      if (!here || !grid.table.isConnected || document.hidden) return;
      const text = JSON.stringify(here);
      if (text === said && performance.now() - saidAt < presenceMs) return;
      said = text;
      saidAt = performance.now();
      say(here);
    };
    grid.hooks.selection.push(() => { saying ||= setTimeout(tell, performance.now() - saidAt > 1000 ? 100 : 1000); });
    const leave = () => {
      if (!said) return;
      said = "";
      say({ session });
    };

    // ---- The grid's life: until another page takes its place

    const listeners = {
      "live:record": ({ detail }) => told(detail),
      "live:presence": ({ detail }) => met(detail),
    };
    const beat = setInterval(() => {
      if (!grid.table.isConnected) {
        clearInterval(beat);
        Object.entries(listeners).forEach(([name, listener]) => document.removeEventListener(name, listener));
        leave();
        return;
      }
      if (said) tell();
      mark();
    }, presenceMs / 2);
    Object.entries(listeners).forEach(([name, listener]) => document.addEventListener(name, listener));
    addEventListener("pagehide", leave);
  });
})();
