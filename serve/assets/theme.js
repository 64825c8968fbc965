// Sets the theme that was chosen before anything is drawn. Without a choice the system's counts.
"use strict";
try {
  const chosen = localStorage.getItem("acta-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* storage is off: the system's theme it is */ }
