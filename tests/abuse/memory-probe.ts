import { renameSync, writeFileSync } from 'node:fs'

// Preloaded into the attacked server, with --expose-gc. On SIGUSR2 it collects garbage and writes what memory is left into
// MEMORY_FILE, so that garbage is not mistaken for growth.

process.on('SIGUSR2', () => {
  const file = process.env.MEMORY_FILE
  if (file === undefined || globalThis.gc === undefined) return
  globalThis.gc()
  writeFileSync(`${file}.part`, JSON.stringify(process.memoryUsage()))
  renameSync(`${file}.part`, file)
})
