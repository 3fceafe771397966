// Even where nothing changes by it, the browser has work with what is set.

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}
