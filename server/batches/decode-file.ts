import { CSV_HEAD_BYTES, type CsvEncoding, csvEncoding } from '#contract/csv-format.ts'

export type DecodedFile = { encoding: CsvEncoding; head: string; text: AsyncGenerator<string> }

/**
 * Decodes a file chunk by chunk. Bytes that the encoding does not know become U+FFFD, which the check reports by row and
 * column. `head` is the beginning of `text`.
 */
export async function decodeFile(chunks: AsyncIterable<Uint8Array>): Promise<DecodedFile> {
  const source = chunks[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  let isDone = false
  for (let bytes = 0; bytes < CSV_HEAD_BYTES && !isDone; ) {
    const next = await source.next()
    if (next.done === true) isDone = true
    else {
      begun.push(next.value)
      bytes += next.value.length
    }
  }
  const first = Buffer.concat(begun)
  const encoding = csvEncoding(first)
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
