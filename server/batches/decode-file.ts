/** The bytes that show the encoding and, in the heading, the separator of a file. */
const HEAD_BYTES = 65_536

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/**
 * Returns the encoding of a file by its byte order mark. Without one it is UTF-16 where every other byte of its beginning is
 * zero, and UTF-8 otherwise.
 */
export function encodingOf(head: Uint8Array): Encoding {
  const [first, second, third, fourth] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second !== 0 && third === 0) return 'utf-16be'
  if (first !== 0 && second === 0 && fourth === 0) return 'utf-16le'
  return 'utf-8'
}

export type DecodedFile = { encoding: Encoding; head: string; text: AsyncGenerator<string> }

/**
 * Decodes a file piece by piece. Bytes that the encoding does not know become U+FFFD, which the check reports by row and
 * column. `head` is the beginning of `text`.
 */
export async function decodeFile(chunks: AsyncIterable<Uint8Array>): Promise<DecodedFile> {
  const source = chunks[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  let isDone = false
  for (let bytes = 0; bytes < HEAD_BYTES && !isDone; ) {
    const next = await source.next()
    if (next.done === true) isDone = true
    else {
      begun.push(next.value)
      bytes += next.value.length
    }
  }
  const first = Buffer.concat(begun)
  const encoding = encodingOf(first)
  const decoder = new TextDecoder(encoding)
  const head = decoder.decode(first, { stream: true })

  async function* decode() {
    yield head
    for (
      let next = isDone ? undefined : await source.next();
      next && next.done !== true;
      next = await source.next()
    )
      yield decoder.decode(next.value, { stream: true })
    yield decoder.decode()
  }
  return { encoding, head, text: decode() }
}
