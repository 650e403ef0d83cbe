/** The column of the file, by its place, for each column that the project needs. */
export type ColumnMatch = Record<string, number | undefined>

const simplified = (name: string) =>
  name
    .normalize()
    .toLowerCase()
    .replace(/[\s_-]+/g, '')

/** Returns the columns that have the same name, or one that differs only in case, spaces, dashes and the Unicode form. */
export function matchColumns(needed: readonly string[], given: readonly string[]): ColumnMatch {
  return Object.fromEntries(
    needed.map((name) => {
      const exact = given.indexOf(name)
      const similar = given.findIndex(
        (other) => !needed.includes(other) && simplified(other) === simplified(name),
      )
      return [name, exact !== -1 ? exact : similar === -1 ? undefined : similar]
    }),
  )
}

/** Returns another variable with the same column of the file, which can have the name of one only; undefined if there is none. */
export function sharesColumnWith(name: string, match: ColumnMatch): string | undefined {
  const place = match[name]
  if (place === undefined) return undefined
  return Object.keys(match).find((other) => other !== name && match[other] === place)
}

/**
 * Returns the names of the columns of the file under which the project finds its values. Another column with a needed name
 * gets a number.
 */
export function renamedColumns(given: readonly string[], match: ColumnMatch): string[] {
  const names = new Map(Object.entries(match).map(([name, place]) => [place, name]))
  return given.map((name, place) => {
    const needed = names.get(place)
    if (needed !== undefined) return needed
    if (!Object.hasOwn(match, name)) return name
    let free = 2
    while (given.includes(`${name} ${free}`)) free++
    return `${name} ${free}`
  })
}
