/** The fixed texts of the public pages. An operator or a translator changes them here and nowhere else. */
export const fixed = {
  name: 'Tallywork',
  tagline: 'small tasks, paid in coins',
  footer: 'A micro-tasking platform that connects people with quick jobs and rewards them with coins.',
  joinAsDeveloper: 'https://github.com',
} as const
