import { escapeHtml } from '#server/escape-html.ts'
import { GUIDES } from './guides.ts'

const PAGES = [
  { path: '/api/docs', title: 'Operations' },
  ...GUIDES.map(({ slug, title }) => ({ path: `/api/docs/${slug}`, title })),
  { path: '/api/docs/errors', title: 'Errors' },
]

/** Returns a page of the documentation as HTML without scripts (docs/decisions/0005-api-page.md). */
export function layout(site: string, path: string, content: string): string {
  const { title } = PAGES.find((page) => page.path === path) ?? { title: 'API' }
  const links = PAGES.map(
    (page) =>
      `<li><a href="${page.path}"${page.path === path ? ' aria-current="page"' : ''}>${page.title}</a></li>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${escapeHtml(site)} API</title><style>${STYLE}</style></head><body>
<a class="skip" href="#content">Skip to the content</a>
<header><p><a href="/api/docs">${escapeHtml(site)} API</a></p><nav aria-label="Documentation"><ul>${links.join('')}</ul></nav></header>
<main id="content" tabindex="-1">${content}</main></body></html>`
}

const STYLE = `:root{color-scheme:light dark;--line:#dfe5e2;--soft:#f6f8f7;--link:#0c6a4b;--dim:#53615b;--ink:#1b2421;--body:#fff;
font:16px/1.6 system-ui,sans-serif;background:var(--body);color:var(--ink)}
@media(prefers-color-scheme:dark){:root{--line:#2a3531;--soft:#1d2723;--link:#74d5ae;--dim:#a3b1ab;--ink:#e8efec;--body:#0e1412}}
body{margin:0}header,main{max-width:60rem;margin:0 auto;padding:0 1rem}main{padding-bottom:4rem;outline:none}
header p{margin:1rem 0 0;font-weight:600}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:0;padding:0;
border-bottom:1px solid var(--line)}nav a{display:inline-block;padding:.6rem 0}nav [aria-current]{color:var(--ink);font-weight:600;
text-decoration:none}a{color:var(--link)}:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:.5rem;background:var(--body);padding:.5rem}
h1{font-size:1.75rem;line-height:1.2}h2{margin-top:2.5rem}h2,h3,h4{line-height:1.3}h4{margin:1rem 0 .25rem}
code,pre{font-family:ui-monospace,monospace;font-size:.875em}code{overflow-wrap:anywhere}
pre{overflow:auto;max-height:30rem;padding:1rem;background:var(--soft);border-radius:10px;margin:.5rem 0}pre code{overflow-wrap:normal}
details{border-top:1px solid var(--line)}summary span{display:block}summary{cursor:pointer;padding:.75rem 0;overflow-wrap:anywhere}.method{display:inline-block;
min-width:4.5rem;font-size:.875em}.dim{color:var(--dim)}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
dt{font-weight:600;margin-top:1.5rem;scroll-margin-top:1rem}dd{margin:.25rem 0 0}`
