import { parentPort } from 'node:worker_threads'
import { drawPdf } from './draw.ts'
import type { Sheet } from './sheet.ts'

/** The thread that draws PDF files: a message is a sheet, the reply its file or the error. */
parentPort?.on('message', (sheet: Sheet) => {
  drawPdf(sheet).then(
    (file) => parentPort?.postMessage({ file }),
    (error: Error) => parentPort?.postMessage({ error: error.message }),
  )
})
