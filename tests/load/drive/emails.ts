import { readdirSync } from 'node:fs'

/** Returns how many emails the server has written into its folder. */
export function countEmails(folder: string): number {
  return readdirSync(folder).filter((name) => name.endsWith('.json')).length
}
