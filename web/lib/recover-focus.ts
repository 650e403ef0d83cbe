/**
 * Moves the focus to `near`, or to the page's main content where that cannot take it, when the element that had it was
 * removed or disabled. Otherwise keyboard and screen reader users would start again at the top of the page.
 */
export function recoverFocus(near?: HTMLElement | null): void {
  for (const target of [near, document.getElementById('content')]) {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) target?.focus({ preventScroll: true })
  }
}
