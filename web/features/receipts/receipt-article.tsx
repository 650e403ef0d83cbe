import '#web/features/payments/receipt.css'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { takaText } from '#contract/amounts.en.ts'
import { RECEIPT_TITLES, type ReceiptDocument } from '#contract/receipts.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { formatPercent } from '#web/lib/dashboard-format.ts'
import { formatDollars } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'

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
    <article aria-label="Receipt" className="card p-6 sm:p-8">
      <div className="flex flex-wrap items-start justify-between gap-4 border-b border-line pb-5">
        <div>
          <Brand />
          <address className="mt-3 text-sm whitespace-pre-line text-dim not-italic">
            <span className="block text-ink">{seller.name}</span>
            {[seller.address, seller.email, seller.taxNumber].filter((line) => line !== '').join('\n')}
          </address>
        </div>
        {status}
      </div>
      <p className="mt-6 text-section font-heading tabular-nums">{formatDollars(sign * total)}</p>
      <p className="text-dim">
        {VERBS[kind]} {formatDateTime(date)}
      </p>
      <dl className="mt-6 divide-y divide-line text-sm">
        <ReceiptRow name={RECEIPT_TITLES[kind]}>
          <CopyableText value={number} name="number" />
        </ReceiptRow>
        <ReceiptRow name={kind === 'payout' ? 'Paid to' : 'Paid by'}>
          {customer.name}
          <span className="block text-dim">{customer.email}</span>
        </ReceiptRow>
        {lines.map(({ text, amount }) => (
          <ReceiptRow key={text} name="Item">
            {text}
            <span className="block text-dim tabular-nums">{formatDollars(sign * amount)}</span>
          </ReceiptRow>
        ))}
        {tax && (
          <ReceiptRow name={`${tax.name} ${formatPercent(tax.percent)}${tax.added ? '' : ', included'}`}>
            {formatDollars(sign * tax.amount)}
          </ReceiptRow>
        )}
        {taka && (
          <ReceiptRow name="Amount in taka">
            {takaText(taka.poisha)}
            <span className="block text-dim">1 dollar = {taka.rate} taka</span>
          </ReceiptRow>
        )}
        {taka?.feePoisha != null && <ReceiptRow name="Provider's fee">{takaText(taka.feePoisha)}</ReceiptRow>}
        <ReceiptRow name="Payment method">{method}</ReceiptRow>
        {transactionId !== null && (
          <ReceiptRow name="Transaction">
            <CopyableText value={transactionId} name="transaction id" />
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
          Paid in test mode: no real money was charged.
        </p>
      )}
    </article>
  )
}

const VERBS = { purchase: 'paid on', refund: 'returned on', payout: 'paid out on' }

export function ReceiptRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 py-3">
      <dt className="min-w-min wrap-normal text-dim">{name}</dt>
      <dd className="ml-auto min-w-0 flex-1 basis-28 text-right font-nav break-words">{children}</dd>
    </div>
  )
}
