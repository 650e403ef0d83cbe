import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** Returns a pass-through stream and the SHA-256 of its data, in hex, after its end. */
export function createHashStream(): { stream: Transform; digest(): string } {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}
