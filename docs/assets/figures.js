// Makes diagrams live: "Play from here" turns one into a board in its place, and a game on a page can
// be stepped through. The engine is loaded only when somebody asks for it.

import { applyLooks } from "./settings.js";

applyLooks();

for (const replay of document.querySelectorAll(".diagram-replay")) replay.hidden = false;

document.addEventListener("click", async (event) => {
  const control = event.target.closest?.(".diagram-play, .diagram-replay");
  if (!control || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  try {
    const { playHere, replayHere } = await import("./inline.js");
    const figure = control.closest("figure");
    if (control.matches(".diagram-replay")) replayHere(figure);
    else playHere(figure);
  } catch (error) {
    console.info(error);
    location.href = control.closest("figure").querySelector(".diagram-play").href;
  }
});
