import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** A stream that lets everything through and knows its SHA-256 at the end. */
export function hashThrough(): { stream: Transform; digest(): string } {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}
