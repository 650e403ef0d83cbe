import { t } from '@lingui/core/macro'
import type { Icon } from '@tabler/icons-react'
import type { Role } from '#contract/endpoint.ts'
import type { User } from '#contract/users.ts'
import { linksOf, REVIEWS_LINK } from '#web/features/site/sidebar-links.ts'
import {
  IconBell,
  IconBuildingBank,
  IconCoins,
  IconPencil,
  IconSearch,
  IconSend,
  IconShieldCheck,
  IconSquarePlus,
  IconWallet,
} from '#web/ui/icons.ts'

export type Command = { label: string; to: string; icon: Icon; detail?: string }

const editProfile: Command = { label: t`Change name or picture`, to: '/dashboard', icon: IconPencil }
const changePassword: Command = {
  label: t`Change password`,
  to: '/dashboard/security',
  icon: IconShieldCheck,
}

const ACTIONS: Record<Role, Command[]> = {
  Worker: [
    { label: t`Find work`, to: '/dashboard/available-task', icon: IconSearch },
    { label: t`Withdraw`, to: '/dashboard/withDrawal-form', icon: IconWallet },
    { label: t`Add a payout destination`, to: '/dashboard/payout-destinations', icon: IconBuildingBank },
  ],
  Buyer: [
    { label: t`Post a task`, to: '/dashboard/add-task', icon: IconSquarePlus },
    { label: t`Approve submissions`, to: '/dashboard/task-to-review', icon: IconSend },
    { label: t`Buy coins`, to: '/dashboard/purchase-coin', icon: IconCoins },
  ],
  Admin: [
    { label: t`Approve withdrawals`, to: '/dashboard/withdraw-request', icon: IconBuildingBank },
    {
      label: t`Find users by account number, card or device`,
      to: '/dashboard/user-search',
      icon: IconSearch,
    },
  ],
}

/** Returns the actions and the screens of a user. */
export function commandsOf({ role, reviewer }: User): { actions: Command[]; screens: Command[] } {
  return {
    actions: [...ACTIONS[role], editProfile, changePassword],
    screens: [
      ...linksOf(role),
      { label: t`Notifications`, to: '/dashboard/notifications', icon: IconBell },
      ...(reviewer && role !== 'Admin' ? [REVIEWS_LINK] : []),
    ],
  }
}

/** Returns the commands whose label has every word of the query, those that begin with it first. */
export function findCommands(commands: readonly Command[], query: string): Command[] {
  const words = comparable(query).split(/\s+/).filter(Boolean)
  const begins = ({ label }: Command) => comparable(label).startsWith(words.join(' '))
  return commands
    .filter(({ label }) => words.every((word) => comparable(label).includes(word)))
    .sort((one, other) => Number(begins(other)) - Number(begins(one)))
}

/** Returns a text without the differences of case and of code points: keyboards type some Bangla letters as one or as two. */
const comparable = (text: string) => text.normalize('NFC').toLowerCase()
