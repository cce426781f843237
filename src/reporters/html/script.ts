/** The page's only script: the theme button. It runs from disk, where storage may be refused. */
export const SCRIPT = `(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("mlebench-theme"); } catch { return null; } };
  const store = (value) => { try { localStorage.setItem("mlebench-theme", value); } catch {} };
  const current = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const show = () => {
    const other = current() === "dark" ? "light" : "dark";
    button.textContent = other === "dark" ? "\\u263E Dark" : "\\u2600 Light";
    button.setAttribute("aria-label", "Switch to the " + other + " theme");
  };
  const known = stored();
  if (known === "dark" || known === "light") root.dataset.theme = known;
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = current() === "dark" ? "light" : "dark";
    store(root.dataset.theme);
    show();
  });
  dark.addEventListener("change", show);
  show();
})();`;
