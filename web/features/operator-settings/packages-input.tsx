import { t } from '@lingui/core/macro'
import { ActionIcon, Button } from '@mantine/core'
import { marginOf } from '#contract/package-margin.ts'
import { formatCents, formatNumber } from '#web/lib/format.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { IconPlus, IconTrash } from '#web/ui/icons.ts'
import { MoneyOrNumberInput } from './setting-input.tsx'
import { usePrices } from './use-package-margins.ts'

type Offered = { coins: number | ''; priceCents: number | '' }

type Props = {
  packages: Offered[]
  fees: { cardFeePercent: number; cardFeeCents: number }
  /** The error of a property of a package, or of all of them. */
  errorOf: (path: string) => string | undefined
  onChange: (packages: Offered[]) => void
}

/** Renders the coin packages with what each leaves after card fees, tax and the payout of its coins. */
export function PackagesInput({ packages, fees, errorOf, onChange }: Props) {
  const change = (index: number, properties: Partial<Offered>) =>
    onChange(packages.map((offered, at) => (at === index ? { ...offered, ...properties } : offered)))
  const error = errorOf('packages')
  const addButton = useFocusRecovery<HTMLButtonElement>(packages.length)
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 text-sm font-nav">{t`Packages`}</legend>
      <ul className="space-y-4">
        {packages.map((offered, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a package is identified by its place while it is edited
            key={index}
            className="grid grid-cols-[repeat(2,minmax(0,1fr))_auto] items-start gap-x-3 gap-y-1"
          >
            <MoneyOrNumberInput
              label={t`Coins`}
              name={t`Coins of package ${{ number: formatNumber(index + 1) }}`}
              error={errorOf(`packages.${index}.coins`)}
              scale={1}
              value={offered.coins}
              onChange={(coins) => change(index, { coins })}
            />
            <MoneyOrNumberInput
              label={t`Price`}
              name={t`Price of package ${{ number: formatNumber(index + 1) }}`}
              error={errorOf(`packages.${index}.priceCents`)}
              unit="$"
              scale={100}
              value={offered.priceCents}
              onChange={(priceCents) => change(index, { priceCents })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={42}
              className="mt-[1.6rem]"
              aria-label={t`Remove package ${{ number: formatNumber(index + 1) }}`}
              disabled={packages.length === 1}
              onClick={() => onChange(packages.filter((_, at) => at !== index))}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
            <Margin offered={offered} fees={fees} />
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {error}
        </p>
      )}
      <Button
        ref={addButton}
        variant="default"
        size="xs"
        className="mt-3"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={packages.length >= 8}
        onClick={() => onChange([...packages, { coins: '', priceCents: '' }])}
      >
        {t`Add package`}
      </Button>
    </fieldset>
  )
}

function Margin({ offered: { coins, priceCents }, fees }: { offered: Offered; fees: Props['fees'] }) {
  const prices = usePrices()
  if (coins === '' || priceCents === '') return null
  const { netCents, payoutCents, marginCents } = marginOf({ coins, priceCents }, { ...prices, ...fees })
  const [net, payout] = [formatCents(netCents), formatCents(payoutCents)]
  return (
    <p className={`col-span-3 text-xs ${marginCents < 0 ? 'text-danger' : 'text-dim'}`}>
      {marginCents < 0
        ? t`Brings ${net} after card fees and tax, pays out ${payout}: a loss of ${{ loss: formatCents(-marginCents) }}`
        : t`Brings ${net} after card fees and tax, pays out ${payout}: leaves ${{ margin: formatCents(marginCents) }}`}
    </p>
  )
}
