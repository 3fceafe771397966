// Copies the link beside a diagram. What it says afterwards stands in the page, in its language.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(new URL(button.dataset.copy, location).href);
    const done = button.querySelector("[role=status]");
    done.textContent = button.querySelector("template").content.textContent;
    button.classList.add("is-copied");
    setTimeout(() => {
      done.textContent = "";
      button.classList.remove("is-copied");
    }, 2000);
  });
}
