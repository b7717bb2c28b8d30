"use strict";

// Pages work without this file; it makes them smoother.
(() => {
  // Formats the message of a key as the server does: {name} and {count, plural, one {# item} other {# items}}.
  const language = () => document.documentElement.lang;
  const number = (value) => new Intl.NumberFormat(language()).format(value);
  const shown = (value) => (typeof value === "number" ? number(value) : value);
  const text = (key, values = {}) => hirobaMessages[key]
    .replace(/\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/g, (all, name, cases) => {
      const forms = Object.fromEntries([...cases.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, form, words]) => [form, words]));
      return (forms[new Intl.PluralRules(language()).select(values[name])] ?? forms.other).replaceAll("#", number(values[name]));
    })
    .replace(/\{(\w+)\}/g, (all, name) => shown(values[name]));
  window.hirobaText = text;

  const remember = (name, value) => {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${secure}`;
  };

  // Until a time zone is chosen, pages show times in the browser's. One that was made for another zone is loaded anew, so that no
  // form takes a time in one zone and sends it as one of another.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!document.cookie.split("; ").includes(`hiroba_zone=${zone}`)) {
    remember("hiroba_zone", zone);
    const { zone: assumed } = document.documentElement.dataset;
    if (assumed && assumed !== zone && document.cookie.includes(`hiroba_zone=${zone}`)) location.reload();
  }

  // What is typed into an input method, such as the Enter that ends a composition, is no command: no script of ours sees it.
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  }, true);

  const clipboard = async (source) => {
    try {
      await navigator.clipboard.writeText(source.value);
    } catch {
      // Browsers offer the clipboard to secure origins alone; selecting works everywhere.
      source.select();
      document.execCommand("copy");
    }
  };

  const toast = (message) => {
    const box = document.getElementById("toasts");
    if (!box || !message) return;
    const item = document.createElement("div");
    item.className = "toast";
    item.textContent = message;
    box.append(item);
    expire(item);
  };

  const expire = (item) => setTimeout(() => item.remove(), 6000);

  const themes = ["auto", "light", "dark"];
  const nextTheme = (now) => themes[(themes.indexOf(now) + 1) % themes.length];

  const applyTheme = (form) => {
    const button = form.querySelector("button[name=theme]");
    const theme = button.value;
    const root = document.documentElement;
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", theme);
    remember("hiroba_colours", theme);
    document.querySelectorAll("form.theme button[name=theme]").forEach((each) => {
      each.value = nextTheme(theme);
      each.querySelector("[data-theme-name]").textContent = text(`shell.script.theme-${theme}`);
    });
  };

  // The address may have changed since the page was loaded, as while somebody types a search.
  document.addEventListener("submit", (event) => {
    if (event.target.matches("form[action='/language']")) event.target.elements.next.value = location.pathname + location.search;
  }, true);

  document.addEventListener("submit", (event) => {
    if (event.target.matches("form.theme")) {
      event.preventDefault();
      applyTheme(event.target);
    }
  }, true);

  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      clipboard(document.getElementById(copy.dataset.copy)).then(() => toast(copy.dataset.copied));
      return;
    }
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  });

  // Asking for HTML makes the server render errors as pages; the error of a fragment request becomes a toast.
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers.Accept = "text/html";
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, boosted } = event.detail;
    if (!boosted && xhr.status >= 400 && xhr.status !== 422 && xhr.status !== 412) {
      event.detail.shouldSwap = false;
      toast(text("shell.script.failed"));
    }
  });

  // A response may carry {"toast": {"message": "…"}} in its HX-Trigger header.
  document.addEventListener("toast", (event) => toast(event.detail.message));
  document.addEventListener("htmx:sendError", () => toast(text("shell.script.unreachable")));

  // Scrolls the current tab and the current place of the sidebar into view where these overflow.
  const scrollToCurrent = () => {
    document.querySelectorAll(".tabs [aria-current]").forEach((tab) => {
      const { parentElement: tabs } = tab;
      tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.clientWidth) / 2;
    });
    const place = document.querySelector(".sidebar [aria-current]");
    const sidebar = place?.closest(".sidebar");
    if (sidebar && place.offsetTop + place.offsetHeight > sidebar.clientHeight) sidebar.scrollTop = place.offsetTop - sidebar.clientHeight / 2;
  };

  // A boosted page may need stylesheets that are not loaded yet; it stays hidden until they are.
  const loadStyles = (head) => {
    const loaded = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href"));
    const missing = [...head.querySelectorAll("link[rel=stylesheet]")]
      .map((link) => link.getAttribute("href"))
      .filter((href) => !loaded.includes(href));
    if (missing.length === 0) return;
    const root = document.documentElement;
    root.classList.add("loading-styles");
    Promise.all(missing.map((href) => new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = done;
      link.onerror = done;
      document.head.append(link);
    }))).then(() => {
      root.classList.remove("loading-styles");
      scrollToCurrent();
    });
  };

  // It may also be in another language, as the first page after somebody with a language of their own logged in.
  const loadLanguage = (head) => {
    const { lang } = head.documentElement;
    if (!lang || lang === language()) return;
    document.documentElement.lang = lang;
    const script = document.createElement("script");
    script.src = head.querySelector("script[src*='/messages.']").getAttribute("src");
    document.head.append(script);
  };
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, shouldSwap, serverResponse } = event.detail;
    if (target !== document.body || !shouldSwap) return;
    const head = new DOMParser().parseFromString(serverResponse.slice(0, serverResponse.indexOf("</head>")), "text/html");
    loadStyles(head);
    loadLanguage(head);
  });

  // A typed password can be shown. It is hidden again before it is sent, so that no browser keeps it among the texts of a form.
  const reveal = (button, isShown) => {
    button.setAttribute("aria-pressed", String(isShown));
    button.parentElement.querySelector("input").type = isShown ? "text" : "password";
  };
  const offerReveal = () => document.querySelectorAll("[data-reveal][hidden]").forEach((button) => { button.hidden = false; });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-reveal]");
    if (button) reveal(button, button.getAttribute("aria-pressed") !== "true");
  });
  document.addEventListener("submit", (event) => {
    event.target.querySelectorAll("[data-reveal][aria-pressed=true]").forEach((button) => reveal(button, false));
  }, true);
  document.addEventListener("htmx:afterSettle", offerReveal);
  document.addEventListener("DOMContentLoaded", offerReveal);

  // Screen readers announce a boosted page only if the focus moves into it.
  const focusPage = (root) => {
    root.querySelectorAll(".toast").forEach(expire);
    const target = ["[aria-invalid=true]", "[data-focus]", "[autofocus]", "main"]
      .map((selector) => root.querySelector(selector))
      .find((element) => element);
    if (target) target.focus({ preventScroll: target.tagName === "MAIN" });
    // After this, htmx scrolls a boosted page to its top: away from the message, or from what was pressed.
    if (target?.matches("[aria-invalid=true], [data-focus]")) requestAnimationFrame(() => target.scrollIntoView({ block: "center" }));
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== document.body) return;
    scrollToCurrent();
    focusPage(document);
  });
  document.addEventListener("DOMContentLoaded", () => {
    scrollToCurrent();
    document.querySelectorAll(".toast").forEach(expire);
  });
})();
