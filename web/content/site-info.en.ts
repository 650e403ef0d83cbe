/** What the pages and the dashboard say of the site. */
export const siteInfo = {
  name: 'Tallywork',
  tagline: 'small tasks, paid in coins',
} as const
