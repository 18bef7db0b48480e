// Runs inside the page: finds visible text with too little contrast against its background.

export function faint_text() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  // Converts any CSS colour to red, green, blue, alpha: the canvas knows them all.
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) =>
    [0, 1, 2].map((n) => top[n] * top[3] + under[n] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((one) =>
      one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground_of = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), rgba('Canvas'));
  };
  const ratio = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const found = new Set();
  const note = (what, element, colour, ground, style) => {
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const got = ratio(over(rgba(colour), ground), ground);
    if (got < (large ? 3 : 4.5))
      found.add(
        `${what.trim().slice(0, 30)} .${element.getAttribute('class') ?? element.tagName} ${got.toFixed(2)}`,
      );
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const scope = document.querySelector('dialog[open]');
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || (scope && !scope.contains(element))) continue;
    if (
      !element.checkVisibility?.({ checkOpacity: true, checkVisibilityCSS: true }) ||
      element.closest('.hidden, .skip, noscript, title, option, :disabled')
    )
      continue;
    const style = getComputedStyle(element);
    const box = element.closest('svg .node')?.querySelector('rect');
    const ground = box ? rgba(getComputedStyle(box).fill) : ground_of(element);
    note(
      node.textContent,
      element,
      element instanceof SVGElement ? style.fill : style.color,
      ground,
      style,
    );
  }
  for (const field of document.querySelectorAll('input[placeholder], textarea[placeholder]')) {
    const style = getComputedStyle(field, '::placeholder');
    if (!scope || scope.contains(field))
      note(field.placeholder, field, style.color, ground_of(field), style);
  }
  return [...found];
}
