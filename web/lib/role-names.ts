import { t } from '@lingui/core/macro'
import type { Role } from '#contract/endpoint.ts'

/** The names of the roles on screens. */
export const ROLE_NAMES: Record<Role, string> = { Worker: t`Worker`, Buyer: t`Buyer`, Admin: t`Admin` }
