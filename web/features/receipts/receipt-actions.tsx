import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { type ReceiptDocument, receiptFile } from '#contract/receipts.ts'
import { download } from '#web/lib/api.ts'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { IconReceipt } from '#web/ui/icons.ts'

/** Renders the buttons that print a receipt and download it as a PDF file. */
export function ReceiptActions({ receipt: { _id: id, number } }: { receipt: ReceiptDocument }) {
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <DownloadButton
        label={t`Download PDF`}
        fileName={`${number.replaceAll(/[^\w-]/g, '-')}.pdf`}
        load={() => download(receiptFile, { params: { id } })}
        failure={t`Could not download the receipt`}
      />
      <Button leftSection={<IconReceipt size={18} aria-hidden />} onClick={() => window.print()}>
        {t`Print`}
      </Button>
    </div>
  )
}
