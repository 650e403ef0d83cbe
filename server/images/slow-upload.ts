import type { FastifyRequest } from 'fastify'

/** An upload that sends less than `MIN_BYTES` in this time ends, so that it holds no place. */
const CHECK_MS = 5_000
/** 3 kB/s: below it, even a small photo would not arrive within the time limit of a request. */
const MIN_BYTES = 16 * 1024

/** Waits for a file that is being received, and destroys the connection when its bytes come too slowly. */
export async function endSlowUpload<Result>(
  { raw }: FastifyRequest,
  received: Promise<Result>,
): Promise<Result> {
  const { socket } = raw
  let before = socket.bytesRead
  let isOver = false
  function check(): void {
    if (!isOver && !raw.complete && socket.bytesRead - before < MIN_BYTES) socket.destroy()
    before = socket.bytesRead
  }
  // What arrived while this process had no processor is read first.
  const timer = setInterval(() => setImmediate(check), CHECK_MS)
  try {
    return await received
  } finally {
    isOver = true
    clearInterval(timer)
  }
}
