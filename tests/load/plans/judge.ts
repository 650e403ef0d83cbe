/** A node of PostgreSQL's plan, as `explain (format json)` reports it. */
export type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** Whether a table, and whether an index grows with the marketplace. */
export type Grows = { table: (name: string) => boolean; index?: (name: string) => boolean }

/**
 * What in this plan costs more when the marketplace has grown: a table read from end to end, or an index walked from
 * end to end where no limit stops the walk. Returns a message for each.
 */
export function growsIn(plan: Plan, grows: Grows): string[] {
  return walk(plan, grows, false)
}

function walk(node: Plan, grows: Grows, limited: boolean): string[] {
  const kind = node['Node Type']
  const table = node['Relation Name'] ?? ''
  const found: string[] = []
  if (kind === 'Seq Scan' && grows.table(table)) found.push(`reads all of ${table}`)
  const wholeIndex = /^Index (Only )?Scan$/.test(kind) && node['Index Cond'] === undefined
  const index = node['Index Name'] ?? ''
  if (wholeIndex && !limited && grows.table(table) && grows.index?.(index) !== false)
    found.push(`walks all of ${index}`)
  // A limit is felt through nodes that pass rows on one by one, and no further than a sort or a sum.
  const passesLimit =
    kind === 'Limit' ||
    (limited && /Nested Loop|Subquery Scan|LockRows|Result|Append|Memoize|Incremental Sort/.test(kind))
  for (const child of node.Plans ?? []) found.push(...walk(child, grows, passesLimit))
  return found
}
