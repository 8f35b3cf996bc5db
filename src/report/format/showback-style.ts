/** The style of a show-back: light, dark, or printed with a page for each group. */
export const showbackStyle = `:root {
  --ink: #1b2430; --soft: #5c6b7c; --line: #d9e0e8; --paper: #ffffff; --back: #f3f5f8; --accent: #2563eb; --warn: #b45309;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf2; --soft: #9aa8b8; --line: #303b49; --paper: #18202b; --back: #10161e; --accent: #7aa7ff; --warn: #fbbf24; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto 2rem; padding: 2rem 2.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
h1 { margin: 0; font-size: 1.7rem; overflow-wrap: anywhere; }
header p { margin: .25rem 0 1rem; color: var(--soft); }
h2 { margin: 2rem 0 .6rem; font-size: 1.05rem; }
h3 { margin: 0; font-size: .95rem; display: flex; gap: .6rem; flex-wrap: wrap; align-items: baseline; }
h3 span { margin-left: auto; color: var(--accent); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: .75rem; margin: 0; }
.figures div { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; }
dd strong { display: block; font-size: 1.45rem; font-variant-numeric: tabular-nums; }
small { color: var(--soft); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 600; font-size: .85rem; color: var(--soft); }
th, td { padding: .45rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot th, tfoot td { border-bottom: 0; color: var(--ink); font-size: 1rem; font-weight: 700; }
th.number { white-space: normal; }
.name { display: block; min-width: 11rem; overflow-wrap: anywhere; }
.name code { display: block; }
.wide { overflow-x: auto; }
code { color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
.bar { display: block; height: 4px; margin-top: .3rem; border-radius: 2px; background: var(--accent); }
ul { margin: 0; padding-left: 1.2rem; }
.findings { list-style: none; padding: 0; }
.findings li { padding: .7rem 0; border-bottom: 1px solid var(--line); }
.findings p { margin: .2rem 0 0; }
.gaps ul { padding: .7rem 1rem .7rem 2rem; border-left: 4px solid var(--warn); background: var(--back); }
.notes { color: var(--soft); font-size: .88rem; }
@media (max-width: 40rem) {
  body { padding: 0; }
  main { padding: 1.25rem 1rem; border-width: 0 0 1px; border-radius: 0; }
}
@media print {
  :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --back: #fff; --accent: #1d4ed8; --warn: #b45309; }
  body { padding: 0; font-size: 11pt; }
  main { max-width: none; margin: 0; padding: 0; border: 0; break-after: page; }
  main:last-child { break-after: auto; }
  tr, .findings li, .figures div { break-inside: avoid; }
  .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}`;
