import { randomBytes } from 'node:crypto'

/** An AUTH_SECRET as production requires it. */
export const RANDOM_SECRET = randomBytes(32).toString('base64url')
