import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/operator-settings.ts'
import type { RouteContext } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { parse, serve } from '#server/http/serve.ts'
import { changeSetting, type SettingChangeRow, settingChanges } from './queries.ts'

const NAMES = Object.keys(contract.OPERATOR_SETTINGS) as contract.SettingName[]

const isSetting = (name: string): name is contract.SettingName =>
  Object.hasOwn(contract.OPERATOR_SETTINGS, name)

/** Serves the operator's settings to Admins. */
export function settingsRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.operatorSettings, async ({ db }) => listSettings(db, NAMES))

  serve(app, context, contract.changeOperatorSetting, async ({ db, params, body, viewer }) => {
    const { name } = params
    if (!isSetting(name)) throw new Refusal('not_found')
    const { version, reason } = body
    const value = parse(contract.OPERATOR_SETTINGS[name].schema, body.value, 'invalid_request')
    await changeSetting(db, { name, admin: viewer.id, version, value: JSON.stringify(value), reason })
    const [changed] = await listSettings(db, [name])
    if (changed === undefined) throw new Error(`The setting ${name} has no row`)
    return changed
  })
}

async function listSettings(db: Db, names: contract.SettingName[]): Promise<contract.OperatorSetting[]> {
  const rows = await settingChanges(db, names)
  return names.flatMap((name) => {
    const changes = rows.filter((row) => row.name === name)
    return changes.slice(0, 1).map(({ version, value }) => ({
      name,
      version,
      value,
      changes: changes.map(presentChange),
    }))
  })
}

function presentChange({ version, value, changed_at, reason, admin_name }: SettingChangeRow) {
  return { version, value, changedBy: admin_name, changedAt: changed_at, reason }
}
