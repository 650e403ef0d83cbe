import { createWriteStream, fstatSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

const STDOUT = 1

/**
 * Writes what a command is run for to stdout. Rejects when not all of it can be written, as on a full disk: `console.log` ignores
 * that, and `process.stdout` does not notice that a file took a part of a chunk.
 */
export async function writeOutput(chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const output = fstatSync(STDOUT).isFile()
    ? createWriteStream('', { fd: STDOUT, autoClose: false })
    : process.stdout
  await pipeline(chunks, output)
}
