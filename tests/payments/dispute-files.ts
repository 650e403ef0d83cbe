import assert from 'node:assert/strict'
import type { CardDispute, DisputeFile, Evidence } from '#contract/card-disputes.ts'
import type { Database } from '#server/database/database.ts'
import { aBuyer, anAdmin, type TestUser } from '#tests/support/factories.ts'
import { aDispute } from './disputes.ts'
import type { Processor } from './processor.ts'
import type { Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }
type Page = { dispute: CardDispute; evidence: Evidence; files: DisputeFile[] }

const PDF = Buffer.from('%PDF-1.7 chat with the buyer')
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])

/** Scenarios of the files of evidence, for every card processor (docs/specification/payments.md#evidence). */
export const DISPUTE_FILES: Record<string, (context: Context) => Promise<void>> = {
  async 'the receipt and the files of an Admin are submitted with the evidence'(context) {
    const { shop, processor } = context
    const { admin, dispute, id } = await aDispute(context)
    assert.equal((await put(shop, admin, dispute, 'customerCommunication', PDF)).status, 200)
    assert.equal((await put(shop, admin, dispute, 'other', PNG)).status, 200)
    assert.deepEqual(await processor.evidenceFiles(id), {}, 'not before the submission')
    assert.deepEqual(
      (await read(shop, admin, dispute)).files.map(({ field, type, admin: name }) => [field, type, name]),
      [
        ['customerCommunication', 'application/pdf', admin.name],
        ['other', 'image/png', admin.name],
      ],
    )
    assert.equal((await submit(shop, admin, dispute)).status, 200)
    const submitted = {
      receipt: 'application/pdf',
      customerCommunication: 'application/pdf',
      other: 'image/png',
    }
    assert.deepEqual(await processor.evidenceFiles(id), submitted)
    const { files } = await read(shop, admin, dispute)
    assert.deepEqual(Object.fromEntries(files.map(({ field, type }) => [field, type])), submitted)
    assert.equal(files[0]?.admin, null, 'the receipt')
    assert.equal((await put(shop, admin, dispute, 'other', JPEG)).code, 'state_conflict')
    assert.equal((await remove(shop, admin, dispute, 'other')).code, 'state_conflict')
  },

  async 'an Admin does not edit the evidence for a payment of their own'(context) {
    const { shop, buyer } = context
    const { admin, dispute } = await aDispute(context)
    await shop.ask(admin, 'PUT', `/update-role/${buyer.id}`, { value: 'Admin' })
    await put(shop, admin, dispute, 'other', PNG)
    assert.equal((await put(shop, buyer, dispute, 'other', JPEG)).code, 'yourself')
    assert.equal((await remove(shop, buyer, dispute, 'other')).code, 'yourself')
    assert.equal((await submit(shop, buyer, dispute)).code, 'yourself')
    assert.equal((await submit(shop, admin, dispute)).status, 200)
  },

  async 'the same file is uploaded once, another one replaces it, and a removed one is not submitted'(
    context,
  ) {
    const { shop, processor } = context
    const { admin, dispute, id } = await aDispute(context)
    const before = await processor.countFiles()
    for (const content of [PDF, PDF, JPEG]) await put(shop, admin, dispute, 'other', content)
    assert.equal((await processor.countFiles()) - before, 2)
    await put(shop, admin, dispute, 'serviceDocumentation', PNG)
    assert.equal((await remove(shop, admin, dispute, 'serviceDocumentation')).status, 200)
    assert.equal((await remove(shop, admin, dispute, 'serviceDocumentation')).code, 'not_found')
    processor.outage(true)
    const failed = await submit(shop, admin, dispute).finally(() => processor.outage(false))
    assert.equal(failed.code, 'payments_unavailable')
    assert.equal((await submit(shop, admin, dispute)).status, 200)
    assert.deepEqual(await processor.evidenceFiles(id), { receipt: 'application/pdf', other: 'image/jpeg' })
    assert.equal((await processor.countFiles()) - before, 4, 'three uploads and the receipt, once')
  },

  async 'only PDF, JPEG and PNG files of 4 MB together are accepted, by their content'(context) {
    const { shop, processor } = context
    const { admin, dispute } = await aDispute(context)
    const before = await processor.countFiles()
    for (const content of [Buffer.from('<svg onload="x"/>'), Buffer.from('MZ\0\0'), Buffer.alloc(0)])
      assert.equal((await put(shop, admin, dispute, 'other', content)).status, 422)
    const path = `/card-disputes/${dispute._id}/files/other`
    assert.equal((await shop.upload(admin, path, PDF, 'image')).status, 422, 'another form field')
    assert.equal((await shop.ask(admin, 'PUT', path, { file: 'x' })).status, 422, 'another form')
    assert.equal((await put(shop, admin, dispute, 'receipt', PDF)).status, 404, 'the receipt is ours')
    const large = (megabytes: number) => Buffer.concat([PDF, Buffer.alloc(megabytes * 1024 * 1024)])
    assert.equal((await put(shop, admin, dispute, 'other', large(4))).code, 'body_too_large')
    assert.equal((await processor.countFiles()) - before, 0)
    assert.equal((await put(shop, admin, dispute, 'other', large(3))).status, 200)
    assert.equal((await put(shop, admin, dispute, 'customerCommunication', large(2))).code, 'invalid_fields')
    assert.equal((await read(shop, admin, dispute)).files.length, 1)
  },

  async 'only Admins add files, and only to the dispute that they name'(context) {
    const { database, shop, processor, buyer } = context
    const { admin, dispute, id } = await aDispute(context)
    const other = await aDispute({ ...context, buyer: await aBuyer(database) })
    assert.equal((await put(shop, buyer, dispute, 'other', PDF)).code, 'role_not_allowed')
    assert.equal((await remove(shop, buyer, dispute, 'other')).code, 'role_not_allowed')
    assert.equal((await put(shop, admin, { _id: 'dp_unknown' }, 'other', PDF)).code, 'not_found')
    await put(shop, await anAdmin(database), other.dispute, 'other', PDF)
    await submit(shop, admin, dispute)
    assert.deepEqual(await processor.evidenceFiles(id), { receipt: 'application/pdf' })
    await processor.setDispute(other.id, 'lost')
    await shop.send(other.id, { type: 'charge.dispute.closed' })
    await shop.waitForEvents()
    assert.equal((await put(shop, admin, other.dispute, 'other', PNG)).code, 'state_conflict')
  },
}

type Named = Pick<CardDispute, '_id'>

const put = (shop: Shop, user: TestUser, { _id }: Named, field: string, content: Buffer) =>
  shop.upload(user, `/card-disputes/${_id}/files/${field}`, content)

const remove = (shop: Shop, user: TestUser, { _id }: Named, field: string) =>
  shop.ask(user, 'DELETE', `/card-disputes/${_id}/files/${field}`)

async function read(shop: Shop, admin: TestUser, { _id }: Named): Promise<Page> {
  return (await shop.ask(admin, 'GET', `/card-disputes/${_id}`)).body as unknown as Page
}

async function submit(shop: Shop, admin: TestUser, dispute: Named) {
  const { evidence } = await read(shop, admin, dispute)
  return shop.ask(admin, 'PUT', `/card-disputes/${dispute._id}/evidence`, { evidence, submit: true })
}
