import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A page whose module script no longer loads small files of its own, and what these contain. */
export type CompletePage = {
  html: string
  /** The script that sets the router's list of routes. */
  routes: string
}

/**
 * Puts the module that starts the app into the module script of a page, and takes the router's list of routes out of it: both are
 * small files of their own otherwise.
 */
export async function withStart(client: string, html: string): Promise<CompletePage> {
  const [list, manifest = ''] = /import "\/(assets\/manifest-[\w-]+\.js)";/.exec(html) ?? []
  const [start, entry = ''] = /import\("\/(assets\/entry\.client-[\w-]+\.js)"\);/.exec(html) ?? []
  if (list === undefined || start === undefined)
    throw new Error('The page does not import what it used to: has the framework changed how it starts?')
  const read = (path: string) => readFile(join(client, path), 'utf8')
  const entryCode = (await read(entry)).replaceAll(/(from|import) ?"\.\//g, '$1"/assets/')
  let page = html
  for (const text of [list, ...[manifest, entry].map(preloadOf)]) page = page.replace(text, '')
  page = page.replace(start, () => entryCode)
  // The app preloads the files that the list names as its start: these are in the page, and another is loaded already.
  const [loaded = ''] = startFilesOf(page)
  const routes = (await read(manifest))
    .replaceAll(`"/${manifest}"`, `"${loaded}"`)
    .replaceAll(`"/${entry}"`, `"${loaded}"`)
  return { html: page, routes }
}

/**
 * Returns the call of a function that does what a module script does, after it has run each of `scripts` in a task of its own: the
 * browser can respond between them.
 */
export function startInSlices(module: string, scripts: readonly string[]): string {
  const body = module
    .replace(/import \* as (\w+) from "([^"]+)";/g, 'const $1=await import("$2");')
    .replace(/import\{([^}]+)\}from"([^"]+)";/g, (_, names: string, url: string) => {
      return `const{${names.replaceAll(' as ', ':')}}=await import("${url}");`
    })
  if (/\bimport[^(]/.test(body))
    throw new Error('The page imports its scripts otherwise: has the bundler changed?')
  return `(async()=>{for(const url of ${JSON.stringify(scripts)}){await import(url);await new Promise(r=>setTimeout(r))}${body}})()`
}

/** Returns the scripts and styles that a page names. */
export function startFilesOf(html: string): string[] {
  const files = [...html.matchAll(/["'](\/assets\/[\w.-]+\.(?:js|css))/g)].map(([, url]) => url ?? '')
  return [...new Set(files)]
}

/** Returns the scripts that a page preloads, and the page without these links. */
export function takePreloads(html: string): { html: string; preloads: string[] } {
  const link = /<link rel="modulepreload" href="([^"]+)"\/>/g
  return {
    html: html.replace(link, ''),
    preloads: [...html.matchAll(link)].map(([, href = '']) => href),
  }
}

function preloadOf(file: string): string {
  return `<link rel="modulepreload" href="/${file}"/>`
}
