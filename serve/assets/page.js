// The page works without this: it adds the chart, the theme's button, votes that do
// not reload, and news of commits that land.
"use strict";
(() => {
  const root = document.documentElement, body = document.body;
  const say = text => { const p = document.getElementById("said"); if (p) p.textContent = text; };

  // Theme.
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : systemDark.matches;
  const button = document.getElementById("theme");
  const label = () => {
    if (!button) return;
    button.hidden = false;
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Use the light theme" : "Use the dark theme");
  };
  button?.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("acta-theme", root.dataset.theme); } catch { /* it holds for this page */ }
    label();
    draw();
  });
  systemDark.addEventListener("change", () => { label(); draw(); });
  label();

  // Chart: score as bars, target as a line, from the table beside it.
  let plot = null;
  const paint = name => getComputedStyle(root).getPropertyValue(name).trim();
  function draw() {
    const place = document.querySelector("[data-plot]");
    plot?.destroy();
    plot = null;
    if (!place || typeof uPlot === "undefined") return;
    const rows = [...document.querySelectorAll("tr[data-day]")];
    const n = rows.length;
    if (n === 0) return;
    const days = rows.map(r => r.dataset.day);
    const scores = rows.map(r => r.dataset.score === undefined ? null : Number(r.dataset.score));
    const targets = rows.map(r => Number(r.dataset.target));
    const good = paint("--good"), bad = paint("--bad"), ink = paint("--muted"), rule = paint("--rule"), line = paint("--ink");
    const font = "12px " + paint("--sans");
    const dayOf = i => Number.isInteger(i) && days[i] ? days[i].slice(5) : ""; // the table beside it has the year
    const low = Math.min(0, ...scores.filter(s => s !== null)), high = Math.max(10, ...targets, ...scores.filter(s => s !== null));
    plot = new uPlot({
      width: place.clientWidth, height: place.clientWidth < 480 ? 180 : 230,
      padding: [12, 8, 0, 0], cursor: { show: false }, legend: { show: false }, select: { show: false },
      scales: { x: { time: false, range: [-0.6, n - 0.4] }, y: { range: [low < 0 ? low * 1.12 : 0, high * 1.08] } },
      axes: [
        { stroke: ink, font, grid: { show: false }, ticks: { show: false }, gap: 6, size: 30,
          splits: () => days.map((_, i) => i).filter(i => (n - 1 - i) % Math.ceil(n / (place.clientWidth / 62)) === 0),
          values: (_, at) => at.map(dayOf) },
        { stroke: ink, font, grid: { stroke: rule, width: 1 }, ticks: { show: false }, gap: 6, size: 46,
          values: (_, at) => at.map(v => String(v).replace("-", "−")) },
      ],
      series: [
        {},
        { label: "Score", points: { show: false }, stroke: good, fill: good,
          paths: uPlot.paths.bars({ size: [0.62, 34], radius: 0.12, disp: {
            stroke: { unit: 3, values: u => u.data[1].map(v => v < 0 ? bad : good) },
            fill: { unit: 3, values: u => u.data[1].map(v => v < 0 ? bad : good) } } }) },
        { label: "Target", stroke: line, width: 1.5, dash: [5, 4], points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) },
      ],
    }, [days.map((_, i) => i), scores, targets], place);
  }
  draw();
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; draw(); } });

  // A report shows the code of a claim folded: following a link to it opens it.
  const unfold = () => {
    const e = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (e && e.tagName === "DETAILS") { e.open = true; e.querySelector("summary").focus(); e.scrollIntoView(); }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // News: the page is asked for again, and what differs takes its place. What is
  // open stays open, and the focus stays where it is.
  let running = null, again = false;
  function refresh() {
    again = true;
    return running ??= (async () => {
      try {
        while (again) {
          again = false;
          const answer = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" });
          if (!answer.ok) return;
          take(new DOMParser().parseFromString(await answer.text(), "text/html"));
        }
      } catch { /* the server is away: the stream of events comes back with it */ }
      finally { running = null; }
    })();
  }
  function take(page) {
    const focus = pathOf(document.activeElement), open = new Map();
    for (const d of document.querySelectorAll("details[id]")) open.set(d.id, d.open);
    for (const d of page.querySelectorAll("details[id]")) if (open.has(d.id)) d.open = open.get(d.id);
    for (const now of document.querySelectorAll("main section[id]")) {
      const then = page.getElementById(now.id);
      if (!then) { if (now.id === "notes") now.remove(); continue; }
      if (now.id !== "chart" ? !now.isEqualNode(then) : now.querySelector("table")?.textContent !== then.querySelector("table")?.textContent) {
        now.replaceWith(document.adoptNode(then));
      }
    }
    const pill = document.querySelector(".bar .pill"), next = page.querySelector(".bar .pill");
    if (pill && next) pill.replaceWith(document.adoptNode(next));
    document.title = page.title;
    body.dataset.mark = page.body.dataset.mark || "";
    draw();
    if (focus && (!document.activeElement || document.activeElement === body)) elementAt(focus)?.focus({ preventScroll: true });
  }
  // Where the focus is, in words that the next page understands.
  function pathOf(e) {
    if (!e || e === body) return null;
    const section = e.closest("section[id]");
    if (!section) return null;
    const all = [...section.querySelectorAll("a, button, summary, input, [tabindex]")];
    return { section: section.id, name: nameOf(e), index: all.filter(o => nameOf(o) === nameOf(e)).indexOf(e) };
  }
  function elementAt(p) {
    const all = [...(document.getElementById(p.section)?.querySelectorAll("a, button, summary, input, [tabindex]") || [])];
    return all.filter(o => nameOf(o) === p.name)[p.index];
  }
  const nameOf = e => e.tagName + " " + (e.getAttribute("aria-label") || e.getAttribute("href") || e.textContent);

  if (body.dataset.live && typeof EventSource !== "undefined") {
    const events = new EventSource(body.dataset.live);
    events.addEventListener("hello", e => { root.dataset.hears = "yes"; if (e.data !== body.dataset.mark) refresh(); });
    events.addEventListener("change", async e => { await refresh(); if (e.data === "commit") say("Something has landed. The page is up to date."); });
    events.addEventListener("error", () => { delete root.dataset.hears; });
    addEventListener("pagehide", () => events.close());
  }

  // Votes.
  document.addEventListener("submit", async e => {
    if (!e.target.matches("form[data-vote]") || !e.submitter) return;
    e.preventDefault();
    const form = new FormData(e.target), vote = { vote: e.submitter.value };
    for (const key of ["actor", "commit"]) if (form.get(key)) vote[key] = form.get(key);
    if (e.target.dataset.busy) return; // a button that is disabled would lose the focus
    e.target.dataset.busy = "yes";
    try {
      const answer = await fetch("/api/score/feedback", {
        method: "POST", credentials: "same-origin",
        headers: { "Content-Type": "application/json" }, body: JSON.stringify(vote),
      });
      const said = await answer.json();
      if (answer.status === 401) { location.assign("/signin"); return; }
      if (!answer.ok) { say(said.error); return; }
      await refresh();
      say(`${said.delta > 0 ? "+" : "−"}${Math.abs(said.delta)} for ${said.actor}: ${said.score} today.`);
    } catch { say("The server cannot be reached."); }
    finally { delete e.target.dataset.busy; }
  });
})();
