import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { STARTING_COINS } from '#contract/product.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ROLE_NAMES } from '#web/lib/role-names.ts'

const ROLES = [
  { value: 'Worker', description: t`Do small tasks and earn coins` },
  { value: 'Buyer', description: t`Post tasks and approve the work` },
] as const

type Props = {
  value: string
  onChange: (role: string) => void
  error?: string | undefined
}

/** Renders the choice between Worker and Buyer, with the starting coins of each. */
export function RoleChoice({ value, onChange, error }: Props) {
  return (
    <fieldset>
      <legend className="mb-1 text-base font-[600]">
        <Trans>
          I want to join as <span className="text-danger">*</span>
        </Trans>
      </legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {ROLES.map((role) => (
          <label
            key={role.value}
            className="flex cursor-pointer gap-3 rounded-control border border-edge bg-surface p-4 transition-colors has-checked:border-fill has-checked:bg-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-fill"
          >
            <input
              type="radio"
              name="role"
              value={role.value}
              required
              checked={value === role.value}
              onChange={() => onChange(role.value)}
              data-error={error ? true : undefined}
              aria-describedby={error ? 'role-error' : undefined}
              className="mt-1 size-4 shrink-0 accent-(--mantine-primary-color-filled) outline-none"
            />
            <span>
              <span className="block font-number">{ROLE_NAMES[role.value]}</span>
              <span className="block text-sm text-dim">{role.description}</span>
              <span className="mt-1 block text-sm">
                <Trans>
                  Starts with <CoinAmount value={STARTING_COINS[role.value]} />
                </Trans>
              </span>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id="role-error" className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
