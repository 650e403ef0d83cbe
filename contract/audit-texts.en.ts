/** Totals whose names in backup manifests are not how the screens say them. */
const TEXTS: Record<string, string> = {
  'with people': 'held by users',
  'owed by people': 'owed by users',
  'given as bonus': 'given at sign-up',
  'swept to the house': 'moved to the platform',
}

/** Returns the name of a check or a total of the audit in English. A sibling translates it (docs/translating.md). */
export const auditText = (name: string): string => TEXTS[name] ?? name
