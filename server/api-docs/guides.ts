/** The guides in server/api-docs/guides/, in the order of the navigation. */
export const GUIDES = [
  { slug: 'authentication', title: 'Authentication' },
  { slug: 'idempotency', title: 'Idempotency' },
  { slug: 'paging', title: 'Paging' },
  { slug: 'webhooks', title: 'Webhooks' },
  { slug: 'testing', title: 'Testing' },
  { slug: 'command-line', title: 'Command line' },
  { slug: 'versions', title: 'Versions and changes' },
] as const
