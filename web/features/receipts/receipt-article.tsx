import { t } from '@lingui/core/macro'
import '#web/features/payments/receipt.css'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ReceiptDocument } from '#contract/receipts.ts'
import { RECEIPT_TITLES } from '#web/features/receipts/receipt-titles.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { formatPercent } from '#web/lib/dashboard-format.ts'
import { formatDollars, formatTaka } from '#web/lib/format.ts'
import { formatDecimal } from '#web/lib/format-decimal.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { SellerAddress } from './seller-address.tsx'

type Props = { receipt: ReceiptDocument; status?: ReactNode; children?: ReactNode }

/** Renders a printable receipt. `children` are more rows of its facts. */
export function ReceiptArticle({ receipt, status, children }: Props) {
  const {
    kind,
    number,
    date,
    seller,
    customer,
    lines,
    tax,
    total,
    method,
    transactionId,
    taka,
    real,
    related,
  } = receipt
  const sign = kind === 'refund' ? -1 : 1
  return (
    <article aria-label={t`Receipt`} className="card p-6 sm:p-8">
      <div className="flex flex-wrap items-start justify-between gap-4 border-b border-line pb-5">
        <div>
          <Brand />
          <SellerAddress seller={seller} />
        </div>
        {status}
      </div>
      <p className="mt-6 text-section font-heading tabular-nums">{formatDollars(sign * total)}</p>
      <p className="text-dim">{DATES[kind](formatDateTime(date))}</p>
      <dl className="mt-6 divide-y divide-line text-sm">
        <ReceiptRow name={RECEIPT_TITLES[kind]}>
          <CopyableText value={number} name={t`number`} />
        </ReceiptRow>
        <ReceiptRow name={kind === 'payout' ? t`Paid to` : t`Paid by`}>
          {customer.name}
          <span className="block text-dim">{customer.email}</span>
        </ReceiptRow>
        {lines.map(({ text, amount }) => (
          <ReceiptRow key={text} name={t`Item`}>
            {text}
            <span className="block text-dim tabular-nums">{formatDollars(sign * amount)}</span>
          </ReceiptRow>
        ))}
        {tax && <ReceiptRow name={taxName(tax)}>{formatDollars(sign * tax.amount)}</ReceiptRow>}
        {taka && (
          <ReceiptRow name={t`Amount in taka`}>
            {formatTaka(taka.poisha)}
            <span className="block text-dim">{t`1 dollar = ${{ rate: formatDecimal(Number(taka.rate)) }} taka`}</span>
          </ReceiptRow>
        )}
        {taka?.feePoisha != null && (
          <ReceiptRow name={t`Provider's fee`}>{formatTaka(taka.feePoisha)}</ReceiptRow>
        )}
        <ReceiptRow name={t`Payment method`}>{method}</ReceiptRow>
        {transactionId !== null && (
          <ReceiptRow name={t`Transaction`}>
            <CopyableText value={transactionId} name={t`transaction ID`} />
          </ReceiptRow>
        )}
        {children}
        {related.map((other) => (
          <ReceiptRow key={other._id} name={RECEIPT_TITLES[other.kind]}>
            <Link to={`/dashboard/receipts/${other._id}`} className="link">
              {other.number}
            </Link>
            <span className="block text-dim tabular-nums">
              {formatDollars((other.kind === 'refund' ? -1 : 1) * other.total)}, {formatDateTime(other.date)}
            </span>
          </ReceiptRow>
        ))}
      </dl>
      {!real && (
        <p className="mt-6 rounded-control bg-gold px-4 py-3 text-sm text-on-gold">
          {kind === 'payout'
            ? t`Paid out in test mode: no real money was sent.`
            : t`Paid in test mode: no real money was charged.`}
        </p>
      )}
    </article>
  )
}

const DATES = {
  purchase: (time: string) => t`paid on ${time}`,
  refund: (time: string) => t`returned on ${time}`,
  payout: (time: string) => t`paid out on ${time}`,
}

function taxName({ name, percent, added }: NonNullable<ReceiptDocument['tax']>): string {
  const tax = `${name} ${formatPercent(percent)}`
  return added ? tax : t`${tax}, included`
}

export function ReceiptRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 py-3">
      <dt className="min-w-min wrap-normal text-dim">{name}</dt>
      <dd className="ml-auto min-w-0 text-right font-nav break-words">{children}</dd>
    </div>
  )
}
