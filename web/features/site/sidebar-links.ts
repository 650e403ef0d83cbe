import type { Icon } from '@tabler/icons-react'
import type { Role } from '#contract/endpoint.ts'
import {
  IconBuildingBank,
  IconCircleCheck,
  IconClipboardList,
  IconClipboardText,
  IconClock,
  IconCoins,
  IconFileText,
  IconListCheck,
  IconMail,
  IconReceipt,
  IconScale,
  IconSearch,
  IconSend,
  IconSettings,
  IconShieldCheck,
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

/** Further links of each role, listed below the prescribed ones. */
export const SECONDARY_LINKS: Record<Role, SidebarLink[]> = {
  Worker: [
    { to: '/dashboard/payout-destinations', label: 'Payout Destinations', icon: IconBuildingBank },
    { to: '/dashboard/paymenthistory', label: 'Payment History', icon: IconReceipt },
    statement,
    security,
  ],
  Buyer: [statement, security],
  Admin: [
    { to: '/dashboard/payouts', label: 'Payouts', icon: IconSend },
    { to: '/dashboard/freezes', label: 'Freezes', icon: IconShieldCheck },
    { to: '/dashboard/payments', label: 'Payments', icon: IconReceipt },
    { to: '/dashboard/disputes', label: 'Disputes', icon: IconScale },
    { to: '/dashboard/unmatched-payments', label: 'Unmatched Payments', icon: IconReceipt },
    { to: '/dashboard/payout-files', label: 'Payout Files', icon: IconFileText },
    { to: '/dashboard/payout-statements', label: 'Payout Statements', icon: IconListCheck },
    { to: '/dashboard/exchange-rate', label: 'Exchange Rate', icon: IconCoins },
    { to: '/dashboard/reconciliation', label: 'Reconciliation', icon: IconScale },
    { to: '/dashboard/appeals', label: 'Appeals', icon: IconScale },
    { to: '/dashboard/messages', label: 'Messages', icon: IconMail },
    { to: '/dashboard/books', label: 'Books', icon: IconScale },
    { to: '/dashboard/jobs', label: 'Background Jobs', icon: IconClock },
    { to: '/dashboard/security-log', label: 'Security Log', icon: IconClipboardText },
    { to: '/dashboard/settings', label: 'Settings', icon: IconSettings },
    { to: '/dashboard/public-pages', label: 'Public Pages', icon: IconFileText },
    { to: '/dashboard/system', label: 'System', icon: IconSettings },
    security,
  ],
}
