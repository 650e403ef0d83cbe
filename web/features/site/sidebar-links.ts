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

const profile: SidebarLink = { to: '/dashboard', label: 'Profile', icon: IconUser }

/** The sidebar links of each role, in the prescribed order (docs/specification/screens.md). */
export const SIDEBAR_LINKS: Record<Role, SidebarLink[]> = {
  Worker: [
    profile,
    { to: '/dashboard/available-task', label: 'Available Task', icon: IconSearch },
    { to: '/dashboard/approved-task', label: 'My Approved Task', icon: IconCircleCheck },
    { to: '/dashboard/withDrawal-form', label: 'Withdraw Form', icon: IconWallet },
    { to: '/dashboard/my-submisson', label: 'My Submisson', icon: IconFileText },
  ],
  Buyer: [
    profile,
    { to: '/dashboard/add-task', label: 'Add New Task', icon: IconSquarePlus },
    { to: '/dashboard/my-task', label: 'My Tasks', icon: IconClipboardList },
    { to: '/dashboard/task-to-review', label: 'Task To Review', icon: IconListCheck },
    { to: '/dashboard/purchase-coin', label: 'Purchase Coin', icon: IconCoins },
    { to: '/dashboard/paymenthistory', label: 'Payment History', icon: IconReceipt },
  ],
  Admin: [
    profile,
    { to: '/dashboard/withdraw-request', label: 'Withdraw Request', icon: IconBuildingBank },
    { to: '/dashboard/manage-users', label: 'Manage Users', icon: IconUsers },
    { to: '/dashboard/manage-task', label: 'Manage Task', icon: IconSettings },
  ],
}

const security: SidebarLink = { to: '/dashboard/security', label: 'Account Security', icon: IconShieldCheck }
const statement: SidebarLink = { to: '/dashboard/statement', label: 'Coin Statement', icon: IconScale }

/** Listed for everybody who may review appeals, in any role. */
export const REVIEWS_LINK: SidebarLink = { to: '/dashboard/reviews', label: 'Reviews', icon: IconScale }

export type SidebarGroup = { name: string; links: SidebarLink[] }

/** Further links of Admins, by what they are about. */
const ADMIN_GROUPS: SidebarGroup[] = [
  {
    name: 'People',
    links: [
      { to: '/dashboard/user-search', label: 'Find Users', icon: IconSearch },
      { to: '/dashboard/freezes', label: 'Freezes', icon: IconSnowflake },
      { to: '/dashboard/messages', label: 'Messages', icon: IconMail },
    ],
  },
  {
    name: 'Tasks and reviews',
    links: [REVIEWS_LINK, { to: '/dashboard/appeals', label: 'Appeals', icon: IconGavel }],
  },
  {
    name: 'Money in',
    links: [
      { to: '/dashboard/payments', label: 'Payments', icon: IconCreditCard },
      { to: '/dashboard/disputes', label: 'Disputes', icon: IconAlertTriangle },
      { to: '/dashboard/unmatched-payments', label: 'Unmatched Payments', icon: IconReceipt },
      { to: '/dashboard/reconciliation', label: 'Reconciliation', icon: IconListCheck },
    ],
  },
  {
    name: 'Money out',
    links: [
      { to: '/dashboard/payouts', label: 'Payouts', icon: IconSend },
      { to: '/dashboard/payout-files', label: 'Payout Files', icon: IconFileText },
      { to: '/dashboard/payout-statements', label: 'Payout Statements', icon: IconListCheck },
      { to: '/dashboard/exchange-rate', label: 'Exchange Rate', icon: IconCoins },
    ],
  },
  {
    name: 'Operations',
    links: [
      { to: '/dashboard/books', label: 'Books', icon: IconScale },
      { to: '/dashboard/audit-log', label: 'Audit Log', icon: IconListCheck },
      { to: '/dashboard/security-log', label: 'Security Log', icon: IconClipboardText },
      { to: '/dashboard/jobs', label: 'Background Jobs', icon: IconClock },
      { to: '/dashboard/settings', label: 'Settings', icon: IconSettings },
      { to: '/dashboard/public-pages', label: 'Public Pages', icon: IconFileText },
      { to: '/dashboard/system', label: 'System', icon: IconServer },
    ],
  },
]

/** Further links of each role, listed below the prescribed ones; an Admin's follow the groups. */
export const SECONDARY_LINKS: Record<Role, SidebarLink[]> = {
  Worker: [
    { to: '/dashboard/payout-destinations', label: 'Payout Destinations', icon: IconBuildingBank },
    { to: '/dashboard/paymenthistory', label: 'Payment History', icon: IconReceipt },
    statement,
    security,
  ],
  Buyer: [statement, security],
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
