import { createWriteStream, fstatSync } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const STDOUT = 1

/**
 * Writes what a command is run for to stdout. Rejects when not all of it can be written, as on a full disk: `console.log` ignores
 * that, and `process.stdout` does not notice that a file took a part of a chunk. Other commands of a script or of a systemd unit may
 * share stdout, and could not write any more after its end, so it stays open.
 */
export async function writeOutput(chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const output = fstatSync(STDOUT).isFile()
    ? createWriteStream('', { fd: STDOUT, autoClose: false })
    : new Writable({ write: (chunk, _encoding, done) => process.stdout.write(chunk, done) })
  process.stdout.on('error', () => {}) // the callback of the write has it
  await pipeline(chunks, output)
}
