import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/operator-settings.ts'
import type { RouteContext } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { parse, serve } from '#server/http/serve.ts'
import {
  changeSetting,
  decideProposal,
  type SettingChangeRow,
  type SettingProposalRow,
  settingChanges,
  waitingProposals,
} from './queries.ts'

const NAMES = Object.keys(contract.OPERATOR_SETTINGS) as contract.SettingName[]

const isSetting = (name: string): name is contract.SettingName =>
  Object.hasOwn(contract.OPERATOR_SETTINGS, name)

/** Serves the operator's settings to Admins. */
export function settingsRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.operatorSettings, async ({ db }) => listSettings(db, NAMES))

  serve(app, context, contract.changeOperatorSetting, async ({ db, params, body, viewer, reply }) => {
    const { name } = params
    if (!isSetting(name)) throw new Refusal('not_found')
    const { version, reason } = body
    const value = parse(contract.OPERATOR_SETTINGS[name].schema, body.value, 'invalid_request')
    const change = { name, admin: viewer.id, version, value: JSON.stringify(value), reason }
    if (!(await changeSetting(db, change))) reply.status(202)
    return oneSetting(db, name)
  })

  serve(app, context, contract.decideSettingProposal, async ({ db, params, body, viewer }) => {
    const state = body.decision === 'confirm' ? 'confirmed' : 'withdrawn'
    const { name } = await decideProposal(db, params.id, viewer.id, state)
    return oneSetting(db, name)
  })
}

async function oneSetting(db: Db, name: contract.SettingName): Promise<contract.OperatorSetting> {
  const [setting] = await listSettings(db, [name])
  if (setting === undefined) throw new Error(`The setting ${name} has no row`)
  return setting
}

async function listSettings(db: Db, names: contract.SettingName[]): Promise<contract.OperatorSetting[]> {
  const rows = await settingChanges(db, names)
  const proposals = await waitingProposals(db, names)
  return names.flatMap((name) => {
    const changes = rows.filter((row) => row.name === name)
    const proposal = proposals.find((row) => row.name === name)
    return changes.slice(0, 1).map(({ version, value }) => ({
      name,
      version,
      value,
      changes: changes.map(presentChange),
      proposal: proposal === undefined ? null : presentProposal(proposal),
    }))
  })
}

function presentChange(row: SettingChangeRow) {
  const { version, value, reason } = row
  return {
    version,
    value,
    changedBy: row.admin_name,
    changedById: row.changed_by,
    confirmedBy: row.confirmed_by_name,
    confirmedById: row.confirmed_by,
    changedAt: row.changed_at,
    reason,
  }
}

function presentProposal(row: SettingProposalRow): contract.SettingProposal {
  const { id, value, reason } = row
  return {
    _id: id,
    value,
    reason,
    proposedBy: { _id: row.proposed_by, name: row.proposed_by_name },
    proposedAt: row.proposed_at,
    effectiveAt: row.due_at,
  }
}
