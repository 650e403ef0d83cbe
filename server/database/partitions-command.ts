import { readConfig } from '#server/config.ts'
import { runCommand } from '#server/run-command.ts'
import { connectToOwnSchema } from './connect.ts'
import { PARTITIONED_TABLES } from './due-partitions.ts'
import { attachPartition, detachPartition, partitionsOf } from './partitions.ts'

/**
 * `npm run partitions` lists the partitions of the database; with `detach PARTITION` or `attach PARTITION` it first detaches or
 * attaches one (docs/operating.md#partitions).
 */
const [command, name] = process.argv.slice(2)
const change = command === 'detach' ? detachPartition : command === 'attach' ? attachPartition : undefined
if ((command !== undefined && change === undefined) || (change !== undefined && name === undefined)) {
  console.error('Usage: npm run partitions -- [detach PARTITION | attach PARTITION]')
  process.exitCode = 2
} else {
  await runCommand(async () => {
    const { maintenance, close } = await connectToOwnSchema(readConfig(), () => {})
    try {
      if (change !== undefined && name !== undefined) await change(maintenance, name)
      for (const table of PARTITIONED_TABLES)
        for (const { name, from, to, bytes } of await partitionsOf(maintenance, table))
          console.log(`${name}  ids ${from ?? '…'} to ${to ?? '…'}  ${Math.ceil(bytes / 1_048_576)} MB`)
    } finally {
      await close()
    }
  })
}
