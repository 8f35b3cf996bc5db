// @ts-check
/** The reader's theme and density, set before anything is drawn. */
for (const name of ['theme', 'density']) {
  try {
    const chosen = localStorage.getItem(name);
    if (chosen !== null) document.documentElement.dataset[name] = chosen;
  } catch {
    // A browser that keeps nothing shows what the system asks for.
  }
}
