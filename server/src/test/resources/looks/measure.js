// Measures a page for LooksTest: its landmarks, and what no page may have. Runs as one expression in the page.
async () => {
  // Colours that are on their way to others would be measured in between.
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations !== Infinity).forEach((each) => each.finish());
  await frame();

  const main = document.querySelector("main");
  const wide = document.documentElement.clientWidth;
  const high = window.innerHeight;

  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isHiddenFromEyes = (element) => element.closest(".visually-hidden") !== null
    || element.closest("dialog:not([open]), details:not([open]) > :not(summary)") !== null;

  // What is left of a box after everything around it that cuts off or scrolls.
  const clipped = (rect, element) => {
    let { left, top, right, bottom } = rect;
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX !== "visible" || style.overflowY !== "visible") {
        const box = at.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
      if (style.position === "fixed") break;
    }
    return { left, top, right, bottom };
  };

  const named = (element) => {
    const name = element.tagName.toLowerCase() + [...element.classList].slice(0, 2).map((each) => `.${each}`).join("");
    const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    return `${name} “${text}”`;
  };

  const landmarks = () => {
    const counts = {};
    const sorts = {
      bar: "header.topbar", side: ".sidebar", main: "main", heading: "main h1", subheading: "main h2", card: "main .card, main .panel", tabs: "main .tabs",
      tab: "main .tabs a", table: "main table", column: "main th", field: "main .field, main .search-box", button: "main button.primary, main .button.primary",
      article: "main article", drawing: "main svg[role=img], main svg.chart, main .bars", line: "main .list > li, main .sagas > li",
    };
    return Object.entries(sorts).flatMap(([sort, selector]) => [...document.querySelectorAll(selector)]
      .filter((element) => shown(element) && !isHiddenFromEyes(element))
      .map((element) => element.getBoundingClientRect())
      .filter((box) => box.width > 0 && box.top < high && box.bottom > 0)
      .slice(0, 12)
      .map((box) => {
        counts[sort] = (counts[sort] ?? 0) + 1;
        const at = [box.left, box.top, box.width, Math.min(box.height, high)].map(Math.round);
        return `${sort}${counts[sort]} ${at.join(" ")}`;
      }));
  };

  // --- Colours
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = text;
      paint.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  };
  const over = ([r, g, b, a], ground) => [r, g, b].map((value, i) => value * a + ground[i] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  // The ground below a text and how much of the text's own colour is left, by everything around it.
  const grounds = (element) => {
    const layers = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      opacity *= Number(style.opacity);
      layers.unshift(rgba(style.backgroundColor));
    }
    return { opacity, ground: layers.reduce((ground, layer) => over(layer, ground), [255, 255, 255]) };
  };

  // --- Texts
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, noscript, option, svg") || !shown(element) || isHiddenFromEyes(element)) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = clipped(rect, element);
      if (box.right - box.left > 2 && box.bottom - box.top > 2) texts.push({ node, element, box });
    }
  }

  const pale = new Set();
  for (const { element } of texts) {
    if (element.closest("[disabled], [aria-disabled=true]")) continue;
    const { opacity, ground } = grounds(element);
    const [r, g, b, a] = rgba(getComputedStyle(element).color);
    const ratio = contrast(over([r, g, b, a * opacity], ground), ground);
    if (ratio < 4.5) pale.add(`${named(element)} ${ratio.toFixed(2)}`);
  }

  for (const element of document.querySelectorAll("input[placeholder], textarea[placeholder]")) {
    if (!shown(element) || element.value || !element.placeholder) continue;
    const { ground } = grounds(element);
    const ratio = contrast(over(rgba(getComputedStyle(element, "::placeholder").color), ground), ground);
    if (ratio < 4.5) pale.add(`the placeholder “${element.placeholder}” ${ratio.toFixed(2)}`);
  }

  // Line boxes are higher than their letters: only what covers a good part of a line is over it.
  // What sticks to an edge of the window lies over what scrolls below it.
  const stuck = (element) => {
    for (let at = element; at !== main; at = at.parentElement) {
      if (getComputedStyle(at).position === "sticky") return at;
    }
    return main;
  };
  const overlaps = new Set();
  const inMain = texts.filter(({ element }) => main.contains(element));
  inMain.forEach((one, i) => inMain.slice(i + 1).forEach((other) => {
    if (one.node === other.node) return;
    const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    const line = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top);
    if (across > 3 && down > line * 0.4 && stuck(one.element) === stuck(other.element)) overlaps.add(`${named(one.element)} and ${named(other.element)}`);
  }));

  const scrollsSideways = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== "visible") return true;
    }
    return false;
  };
  const outside = [...main.querySelectorAll("*")]
    .filter((element) => shown(element) && !isHiddenFromEyes(element) && !element.closest("svg") && !scrollsSideways(element))
    .filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && (box.right > wide + 1 || box.left < -1);
    })
    .map(named);
  const wider = document.documentElement.scrollWidth - wide;
  if (wider > 0) outside.unshift(`the page is ${wider} px wider than the window`);

  // --- What keeps people with a keyboard, a screen reader, a voice or an unsteady hand away
  const barriers = new Set();
  const controls = "a[href], button, summary, input:not([type=hidden]), select, textarea";
  const targets = [...document.body.querySelectorAll(controls)]
    .filter((element) => shown(element) && !isHiddenFromEyes(element) && !element.matches(".skip"));
  const seen = (element) => {
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = "";
    while (words.nextNode()) {
      const { parentElement } = words.currentNode;
      if (!isHiddenFromEyes(parentElement) && !parentElement.closest("[aria-hidden=true], svg")) text += words.currentNode.data;
    }
    return text.trim().replace(/\s+/g, " ").toLowerCase();
  };
  for (const element of targets) {
    if (!element.closest("header, nav, main, aside, footer, dialog, [role=status], [role=alert]")) barriers.add(`${named(element)} is in no landmark`);
    const label = element.getAttribute("aria-label")?.toLowerCase();
    const text = seen(element);
    if (label && /[\p{L}\p{N}]/u.test(text) && !label.includes(text)) barriers.add(`${named(element)} is called “${label}”`);
  }

  // A small target may stand alone: nothing else is in the circle of 24 px around its middle. Links in a text may be as low as its lines.
  const least = 24;
  const boxes = targets
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  const isSmall = ({ box }) => box.width < least - 0.5 || box.height < least - 0.5;
  const middle = ({ box }) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const distance = ([x, y], other) => {
    if (isSmall(other)) return Math.hypot(x - middle(other)[0], y - middle(other)[1]) - least / 2;
    const { left, right, top, bottom } = other.box;
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  };
  for (const one of boxes) {
    if (!isSmall(one) || getComputedStyle(one.element).display === "inline" || one.element.closest("label")) continue;
    const near = boxes.find((other) => other !== one && !other.element.contains(one.element) && !one.element.contains(other.element)
      && distance(middle(one), other) < least / 2 - 0.5);
    if (near) barriers.add(`${named(one.element)} is small and near ${named(near.element)}`);
  }

  for (const element of main.querySelectorAll("*")) {
    const { overflowX, overflowY } = getComputedStyle(element);
    const scrolls = (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1)
      || (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1);
    if (scrolls && shown(element) && !isHiddenFromEyes(element) && element.tabIndex < 0 && !element.querySelector(`${controls}, [tabindex="0"]`)) {
      barriers.add(`${named(element)} scrolls for nobody with a keyboard`);
    }
  }

  return { barriers: [...barriers], landmarks: landmarks(), pale: [...pale], overlaps: [...overlaps], outside: outside.slice(0, 8) };
}
