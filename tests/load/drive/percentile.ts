/** Returns a percentile, or 0 for an empty list. */
export function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0
}
