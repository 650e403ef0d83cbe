/** The value below which this part of them lie. Answers 0 for none. */
export function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0
}
