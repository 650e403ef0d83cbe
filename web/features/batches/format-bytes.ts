import { t } from '@lingui/core/macro'
import { formatNumber } from '#web/lib/format.ts'

/** Formats the size of a file: "340 KB", "1.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return t`${{ size: formatNumber(bytes) }} bytes`
  if (bytes < 1_048_576) return t`${{ size: formatNumber(Math.round(bytes / 1_024)) }} KB`
  return t`${{ size: formatNumber(Math.round((bytes / 1_048_576) * 10) / 10) }} MB`
}
