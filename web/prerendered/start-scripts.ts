/*
 * The inline script of the prerendered pages: it starts the app when the page needs it, and keeps what was pressed until
 * then (docs/decisions/0059-scripts-on-demand.md). scripts/build/postbuild.ts builds it for each page.
 */

import { localeInCookies } from '#contract/locale-cookie.ts'
import { prepareLanguageSwitch } from '#web/lib/language-switch.ts'
import { LAST_SESSION_KEY } from '#web/lib/last-session.ts'
import { activateStyles } from './activate-styles.ts'

/** The scripts of the page: the one that starts the app, except on a screen, and those that it loads. */
declare const __SCRIPTS__: string[]
/** Whether the page is complete without the app. */
declare const __IS_COMPLETE__: boolean
/** Whether the page is a screen, which has in it what starts the app. */
declare const __IS_SCREEN__: boolean
declare function __START_SCREEN__(): void
/** The languages that pages are offered in. */
declare const __LOCALES__: string[]
/** The fields of the configuration that the page shows, with the values it was built with. */
declare const __SITE__: Record<string, unknown>

const INTERACTIONS = ['pointerdown', 'pointerover', 'touchstart', 'click', 'keydown', 'focusin', 'scroll']
const [app = '', ...imports] = __IS_SCREEN__ ? ['', ...__SCRIPTS__] : __SCRIPTS__
let isStarted = false

function start(): void {
  if (isStarted) return
  isStarted = true
  for (const type of INTERACTIONS) removeEventListener(type, startOnInteraction, true)
  activateStyles()
  for (const href of imports)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  if (__IS_SCREEN__) __START_SCREEN__()
  else document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: app }))
}

/** A pointer that rests on the page when it opens is over something too, but seldom over a control. */
function startOnInteraction({ type, target }: Event): void {
  if (type === 'pointerover' && !(target as Element).closest('a, button, input, textarea')) return
  start()
}

/** Starts after the largest paint; a browser that does not report paints, when the page is loaded. */
function startAfterPaint(): void {
  try {
    new PerformanceObserver(() => setTimeout(start)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  } catch {}
  const whenLoaded = () => setTimeout(start, 1200)
  if (document.readyState === 'complete') whenLoaded()
  else addEventListener('load', whenLoaded)
}

/** Starts when a place comes into view that shows a skeleton or no text, or when the configuration is another one. */
function startForData(): void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) startAfterPaint()
  })
  for (const place of document.querySelectorAll('.animate-pulse, .page-text:not(:has(*))'))
    observer.observe(place)
  fetch('/api/site')
    .then((response) => response.json())
    .then((site: Record<string, unknown>) => {
      const isOther = Object.entries(__SITE__).some(
        ([field, value]) => JSON.stringify(site[field]) !== JSON.stringify(value),
      )
      if (isOther) startAfterPaint()
    })
    // Without the configuration the page stays as it was built.
    .catch(() => {})
}

const buttons = new WeakSet(document.querySelectorAll('button'))
const pressed: HTMLButtonElement[] = []

/** Keeps the press of a button that React does not know yet. The browser itself submits forms. */
function keepPress(event: Event): void {
  const button = (event.target as Element).closest('button')
  if (button === null || !buttons.has(button) || isHydrated(button)) return
  if (button.form !== null && button.type === 'submit') return
  event.stopImmediatePropagation()
  button.dataset.busy = ''
  pressed.push(button)
  if (pressed.length === 1) replayPresses()
}

function replayPresses(): void {
  for (let button = pressed[0]; button && (isHydrated(button) || !button.isConnected); button = pressed[0]) {
    pressed.shift()
    delete button.dataset.busy
    button.click()
  }
  if (pressed.length > 0) setTimeout(replayPresses, 50)
}

/** Returns whether React has the element's handlers; parts below the fold are hydrated later than the page. */
function isHydrated(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__reactProps'))
}

/**
 * Prepares a link to another language that is followed. The app does it again with the values that only it knows; while it
 * hydrates a link, its own handler may not be called.
 */
function prepareFollowedLink({ target }: Event): void {
  const link = (target as Element).closest<HTMLAnchorElement>('a[hreflang]')
  if (link) prepareLanguageSwitch(link)
}

/** Shows the offer of another language (web/features/site). */
function offerLanguage(): void {
  const languages = navigator.languages.map((tag) => tag.slice(0, 2))
  const preferred =
    localeInCookies(document.cookie) ?? languages.find((language) => __LOCALES__.includes(language))
  document.querySelector(`[data-offer='${preferred}']`)?.removeAttribute('hidden')
}

addEventListener('click', prepareFollowedLink, { capture: true })
offerLanguage()
for (const type of INTERACTIONS) addEventListener(type, startOnInteraction, { passive: true, capture: true })
addEventListener('click', keepPress, true)
// Who signs in without the app may be another user than the last one, with whom the dashboard would start. The app's own forms
// prevent that the browser submits them.
if (!__IS_COMPLETE__)
  addEventListener('submit', ({ defaultPrevented }) => {
    if (!defaultPrevented) localStorage.removeItem(LAST_SESSION_KEY)
  })
if (__IS_COMPLETE__ && !isReturning() && !isRetry()) startForData()
else startAfterPaint()

/** Returns whether somebody was signed in here (web/root.tsx). */
function isReturning(): boolean {
  return 'returning' in document.documentElement.dataset
}

/** Returns whether the page was reloaded because its scripts did not load (web/root.tsx). */
function isRetry(): boolean {
  try {
    return 'retries' in sessionStorage
  } catch {
    return false
  }
}
