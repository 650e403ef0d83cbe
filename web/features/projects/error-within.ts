/** Returns the first message at a path or below it. */
export function errorWithin(errors: Record<string, string>, path: string): string | undefined {
  return Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1]
}
