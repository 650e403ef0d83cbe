import { t } from '@lingui/core/macro'
import type { Icon } from '@tabler/icons-react'
import type { Role } from '#contract/endpoint.ts'
import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCircleCheck,
  IconClipboardList,
  IconClipboardText,
  IconClock,
  IconCoins,
  IconColumns3,
  IconCreditCard,
  IconFileText,
  IconGavel,
  IconListCheck,
  IconMail,
  IconReceipt,
  IconScale,
  IconSearch,
  IconSend,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconSnowflake,
  IconSquarePlus,
  IconUser,
  IconUsers,
  IconWallet,
} from '#web/ui/icons.ts'

export type SidebarLink = { to: string; label: string; icon: Icon }

const profile: SidebarLink = { to: '/dashboard', label: t`Profile`, icon: IconUser }

/** The sidebar links of each role, in the prescribed order (docs/specification/screens.md). */
export const SIDEBAR_LINKS: Record<Role, SidebarLink[]> = {
  Worker: [
    profile,
    { to: '/dashboard/available-task', label: t`Available Task`, icon: IconSearch },
    { to: '/dashboard/approved-task', label: t`My Approved Task`, icon: IconCircleCheck },
    { to: '/dashboard/withDrawal-form', label: t`Withdraw Form`, icon: IconWallet },
    { to: '/dashboard/my-submisson', label: t`My Submisson`, icon: IconFileText },
  ],
  Buyer: [
    profile,
    { to: '/dashboard/add-task', label: t`Add New Task`, icon: IconSquarePlus },
    { to: '/dashboard/my-task', label: t`My Tasks`, icon: IconClipboardList },
    { to: '/dashboard/task-to-review', label: t`Task To Review`, icon: IconListCheck },
    { to: '/dashboard/purchase-coin', label: t`Purchase Coin`, icon: IconCoins },
    { to: '/dashboard/paymenthistory', label: t`Payment History`, icon: IconReceipt },
  ],
  Admin: [
    profile,
    { to: '/dashboard/withdraw-request', label: t`Withdraw Request`, icon: IconBuildingBank },
    { to: '/dashboard/manage-users', label: t`Manage Users`, icon: IconUsers },
    { to: '/dashboard/manage-task', label: t`Manage Task`, icon: IconSettings },
  ],
}

const security: SidebarLink = { to: '/dashboard/security', label: t`Account Security`, icon: IconShieldCheck }
const statement: SidebarLink = { to: '/dashboard/statement', label: t`Coin Statement`, icon: IconScale }

/** Listed for everybody who may review appeals, in any role. */
export const REVIEWS_LINK: SidebarLink = { to: '/dashboard/reviews', label: t`Reviews`, icon: IconScale }

export type SidebarGroup = { name: string; links: SidebarLink[] }

/** Further links of Admins, by what they are about. */
const ADMIN_GROUPS: SidebarGroup[] = [
  {
    name: t`People`,
    links: [
      { to: '/dashboard/user-search', label: t`Find Users`, icon: IconSearch },
      { to: '/dashboard/freezes', label: t`Freezes`, icon: IconSnowflake },
      { to: '/dashboard/messages', label: t`Messages`, icon: IconMail },
    ],
  },
  {
    name: t`Tasks and reviews`,
    links: [REVIEWS_LINK, { to: '/dashboard/appeals', label: t`Appeals`, icon: IconGavel }],
  },
  {
    name: t`Money in`,
    links: [
      { to: '/dashboard/payments', label: t`Payments`, icon: IconCreditCard },
      { to: '/dashboard/disputes', label: t`Disputes`, icon: IconAlertTriangle },
      { to: '/dashboard/unmatched-payments', label: t`Unmatched Payments`, icon: IconReceipt },
      { to: '/dashboard/reconciliation', label: t`Reconciliation`, icon: IconListCheck },
    ],
  },
  {
    name: t`Money out`,
    links: [
      { to: '/dashboard/payouts', label: t`Payouts`, icon: IconSend },
      { to: '/dashboard/payout-files', label: t`Payout Files`, icon: IconFileText },
      { to: '/dashboard/payout-statements', label: t`Payout Statements`, icon: IconListCheck },
      { to: '/dashboard/exchange-rate', label: t`Exchange Rate`, icon: IconCoins },
    ],
  },
  {
    name: t`Operations`,
    links: [
      { to: '/dashboard/books', label: t`Books`, icon: IconScale },
      { to: '/dashboard/audit-log', label: t`Audit Log`, icon: IconListCheck },
      { to: '/dashboard/security-log', label: t`Security Log`, icon: IconClipboardText },
      { to: '/dashboard/jobs', label: t`Background Jobs`, icon: IconClock },
      { to: '/dashboard/settings', label: t`Settings`, icon: IconSettings },
      { to: '/dashboard/public-pages', label: t`Public Pages`, icon: IconFileText },
      { to: '/dashboard/system', label: t`System`, icon: IconServer },
    ],
  },
]

/** Further links of each role, listed below the prescribed ones; an Admin's follow the groups. */
export const SECONDARY_LINKS: Record<Role, SidebarLink[]> = {
  Worker: [
    { to: '/dashboard/payout-destinations', label: t`Payout Destinations`, icon: IconBuildingBank },
    { to: '/dashboard/paymenthistory', label: t`Payment History`, icon: IconReceipt },
    statement,
    security,
  ],
  Buyer: [
    { to: '/dashboard/projects', label: t`Projects`, icon: IconColumns3 },
    { to: '/dashboard/my-workers', label: t`My Workers`, icon: IconUsers },
    statement,
    security,
  ],
  Admin: [security],
}

/** Returns all links of a role, in the order of the sidebar. */
export const linksOf = (role: Role): SidebarLink[] => [
  ...SIDEBAR_LINKS[role],
  ...groupsOf(role).flatMap(({ links }) => links),
  ...SECONDARY_LINKS[role],
]

/** Returns the groups of a role's links. */
export const groupsOf = (role: Role): SidebarGroup[] => (role === 'Admin' ? ADMIN_GROUPS : [])
