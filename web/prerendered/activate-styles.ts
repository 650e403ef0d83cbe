/**
 * Gives the links of styles that are in the page their URLs, by which React finds its elements. They stay switched off. A browser
 * that reads ahead would load them if the page had the URLs.
 */
export function activateStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-href]'))
    link.href = link.dataset.href ?? ''
}
