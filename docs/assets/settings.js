// The player's choices: a form on the play page, kept in this browser, followed on every page.

const STORED = "half-moon.settings";
const DEFAULTS = { move_errors: false, matching_help: false, indices: "local" };
const INDICES = ["local", "international", "french"];
const LOOKS = ["four_colours"];

const thisVisit = {}; // what this browser does not store

export const stored = (key) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return thisVisit[key] ?? {}; // nothing usable is stored, or storing is forbidden
  }
};

export const store = (key, value) => {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    thisVisit[key] = value;
  }
};

// What the engine wants to know; anything stored that it would not understand is left out.
export function engineSettings() {
  const kept = stored(STORED);
  return {
    move_errors: kept.move_errors === true,
    matching_help: kept.matching_help === true,
    indices: INDICES.includes(kept.indices) ? kept.indices : DEFAULTS.indices,
  };
}

export function applyLooks() {
  const kept = stored(STORED);
  for (const look of LOOKS) {
    document.documentElement.toggleAttribute(`data-${look}`, kept[look] === true);
  }
}

// Fills the form, and stores and tells every change.
export function bindSettings(form, then) {
  const kept = { ...stored(STORED), ...engineSettings() };
  for (const field of form.elements) {
    if (field.type === "checkbox") field.checked = kept[field.name] === true;
    else if (field.name in kept) field.value = kept[field.name];
  }
  form.addEventListener("change", () => {
    const chosen = {};
    for (const field of form.elements) {
      chosen[field.name] = field.type === "checkbox" ? field.checked : field.value;
    }
    store(STORED, chosen);
    applyLooks();
    then();
  });
}
