// What may be wrong with a page, as lists of complaints. Each function looks at the page as it is shown now.

const named = (element) => `${element.tagName} ${element.getAttribute("class") ?? ""} "${element.textContent.slice(0, 40)}"`;

// What reaches beyond the screen. A table that is too wide may scroll in its own box.
const wide = () => {
  const found = [];
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > room) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest(".scroll") && !element.matches(".scroll")) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > room + 1 || box.left < -1)) found.push(`${named(element)}: ${box.left} to ${box.right}`);
  }
  return found;
};

// Plots without a size, or without anything in them.
const empty = () => {
  const found = [];
  for (const plot of document.querySelectorAll("figure svg")) {
    const box = plot.getBoundingClientRect();
    if (box.width < 100 || box.height < 40) found.push(`${plot.getAttribute("aria-label")}: ${box.width} by ${box.height}`);
    if (!plot.querySelector(".mark, .box, text")) found.push(`${plot.getAttribute("aria-label")}: nothing in it`);
  }
  return found;
};

// Texts of a plot on top of each other, or cut by its edge.
const overlaps = () => {
  const found = [];
  for (const plot of document.querySelectorAll("figure svg")) {
    const edge = plot.getBoundingClientRect();
    const texts = [...plot.querySelectorAll("text")].map((text) => ({ text, box: text.getBoundingClientRect() }));
    texts.forEach(({ text, box }, index) => {
      if (box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 2 || box.bottom > edge.bottom + 2) {
        found.push(`${named(text)} is cut`);
      }
      for (const other of texts.slice(index + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        // Boxes of letters have some air above and below.
        if (across > 1 && down > 4) found.push(`${named(text)} and ${named(other.text)}`);
      }
    });
  }
  return found;
};

// Letters too small to read.
const tiny = () => {
  const found = [];
  for (const text of document.querySelectorAll("figure svg text")) {
    const plot = text.ownerSVGElement;
    const scale = plot.getBoundingClientRect().width / plot.viewBox.baseVal.width;
    const size = parseFloat(getComputedStyle(text).fontSize) * scale;
    if (size < 9.5) found.push(`${named(text)}: ${size}`);
  }
  return found;
};

const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
const luminance = (colour) => {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (channels(colour)[3] !== 0) return colour;
  }
  return "rgb(255, 255, 255)";
};

// Texts with less than 4.5 to 1 against what is behind them, and marks with less than 3 to 1 (WCAG 2.2).
const faint = () => {
  const found = new Set();
  const demand = (element, colour, ratio) => {
    const is = contrast(colour, ground(element));
    if (is < ratio) found.add(`${named(element)}: ${colour} on ${ground(element)} is ${is.toFixed(2)}`);
  };
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("script, title") || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const speaks = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (speaks) demand(element, element.ownerSVGElement ? style.fill : style.color, 4.5);
    if (element.matches(".mark, .box, .whisker, .joint, .beyond, .axis, .leader, .bar")) demand(element, style.stroke, 3);
  }
  return [...found].slice(0, 10);
};

// What would spoil a printed page: a coloured ground, grey letters, things that stick or scroll, plots that may be split.
const unprintable = () => {
  const found = [];
  const body = getComputedStyle(document.body);
  if (body.backgroundColor !== "rgb(255, 255, 255)" || body.color !== "rgb(0, 0, 0)") {
    found.push(`${body.color} on ${body.backgroundColor}`);
  }
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    if (style.position === "sticky" || style.position === "fixed") found.push(`${named(element)} sticks`);
    if (element.matches("figure") && style.breakInside !== "avoid") found.push(`${named(element)} may be split`);
    if (element.matches(".scroll") && element.scrollHeight > element.clientHeight + 2) found.push(`${named(element)} is cut`);
  }
  return found;
};
