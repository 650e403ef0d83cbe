import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { PayoutFileProfile } from '#contract/payout-files.ts'
import { PayoutFileProfile as Profile } from '#contract/payout-files.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker } from '#tests/support/factories.ts'

const COLUMNS = [{ header: 'Amount', field: 'amount', text: '', asText: false }]
const ENTRY = { name: 'Sonali Bank', note: '', columns: COLUMNS, version: 0 }

describe('profiles of payout files', () => {
  const api = useApi()
  const list = async (): Promise<PayoutFileProfile[]> =>
    (await api.as(await anAdmin(api.database)).get('/payout-file-profiles')).body

  test('three profiles are ready, with the columns that the providers document', async () => {
    const profiles = await list()
    assert.deepEqual(
      profiles.map(({ name }) => name),
      ['Neutral', 'Payoneer', 'Wise'],
    )
    for (const profile of profiles) assert.ok(Profile.safeParse(profile).success, profile.name)
    const headings = (wanted: string) =>
      profiles.find(({ name }) => name === wanted)?.columns.map(({ header }) => header)
    assert.deepEqual(headings('Wise'), [
      'name',
      'recipientEmail',
      'paymentReference',
      'receiverType',
      'amountCurrency',
      'amount',
      'sourceCurrency',
      'targetCurrency',
    ])
    const [, payoneer] = profiles
    assert.deepEqual(
      payoneer?.columns.map(({ field, text }) => text || field),
      ['workerEmail', 'dollars', 'USD', 'reference'],
    )
  })

  test('an Admin creates, changes and deletes a profile; each is logged', async () => {
    const admin = await anAdmin(api.database)
    const as = api.as(admin)
    const path = `/payout-file-profiles/${randomUUID()}`
    assert.equal((await as.put(path, ENTRY)).body.modifiedCount, 1)
    assert.equal((await as.put(path, ENTRY)).body.modifiedCount, 0, 'A repetition changes nothing')
    assert.equal((await as.put(path, { ...ENTRY, note: 'New' })).body.error.code, 'state_conflict')
    assert.equal((await as.put(path, { ...ENTRY, note: 'New', version: 1 })).body.modifiedCount, 1)
    const saved = (await list()).find(({ name }) => name === ENTRY.name)
    assert.deepEqual(
      [saved?.note, saved?.version, saved?.changedBy, saved?.changedById],
      ['New', 2, admin.name, admin.id],
    )

    const other = `/payout-file-profiles/${randomUUID()}`
    assert.equal((await as.put(other, ENTRY)).body.error.message, 'Another profile already has this name.')
    assert.equal((await as.delete(path)).status, 200)
    assert.equal((await as.delete(path)).status, 404)
    const log = (await as.get('/admin-record?limit=3')).body as { act: string }[]
    assert.deepEqual(
      log.map(({ act }) => act),
      ['payout_file_profile_deleted', 'payout_file_profile_saved', 'payout_file_profile_saved'],
    )
  })

  test('of two Admins who change one version at once, one is refused', async () => {
    const as = api.as(await anAdmin(api.database))
    const path = `/payout-file-profiles/${randomUUID()}`
    await as.put(path, { ...ENTRY, name: 'Raced' })
    const save = (name: string) => as.put(path, { ...ENTRY, name, version: 1 })
    const replies = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(save))
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409, 409, 409, 409],
    )
  })

  test('others neither read nor change profiles, and invalid columns are refused', async () => {
    const worker = api.as(await aWorker(api.database))
    const admin = api.as(await anAdmin(api.database))
    const path = `/payout-file-profiles/${randomUUID()}`
    assert.equal((await worker.get('/payout-file-profiles')).status, 403)
    assert.equal((await worker.put(path, ENTRY)).status, 403)
    const [column] = COLUMNS
    for (const columns of [
      [],
      [column, column],
      [{ ...column, field: 'password' }],
      [{ ...column, header: ' ' }],
      Array.from({ length: 41 }, (_, index) => ({ ...column, header: String(index) })),
    ]) {
      assert.equal((await admin.put(path, { ...ENTRY, columns })).status, 422)
    }
  })
})
