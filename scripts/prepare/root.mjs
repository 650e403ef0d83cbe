import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

export const inRoot = (...parts) => path.join(root, ...parts)
