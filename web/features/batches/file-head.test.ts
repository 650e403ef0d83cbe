import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchColumns, renamedColumns } from './column-match.ts'
import { readHead, withColumns } from './file-head.ts'

const utf16 = (text: string) => new Blob([new Uint8Array(Buffer.from(text, 'utf16le'))])

async function renamed(file: Blob, columns: string[]): Promise<Buffer> {
  const { heading } = await readHead(file)
  assert.ok(heading)
  return Buffer.from(await withColumns(file, heading, columns).arrayBuffer())
}

test('the columns of a file are read with every separator and with quotation marks', async () => {
  const columnsOf = async (text: string) => (await readHead(new Blob([text]))).columns
  assert.deepEqual(await columnsOf('a,b , c\n1,2,3'), ['a', 'b', 'c'])
  assert.deepEqual(await columnsOf('a;"b;""x""";c\r\n1;2;3'), ['a', 'b;"x"', 'c'])
  assert.deepEqual(await columnsOf('\ufeff\na\tb'), ['a', 'b'])
  assert.deepEqual(await columnsOf('a|"b\nc"|d\n'), ['a', 'b\nc', 'd'])
  assert.deepEqual(await columnsOf('{"a":1,"b ":2}\n{"a":2}'), ['a', 'b'])
  assert.deepEqual(await columnsOf('{broken\n'), [])
  assert.deepEqual(await columnsOf(' \n'), [])
})

test('a heading is rewritten without a change of any other byte', async () => {
  const file = new Blob(['\ufeffনাম,b\r\nআলো,"x\ny"\r\n'])
  assert.equal((await renamed(file, ['name', 'a,b'])).toString(), '\ufeffname,"a,b"\r\nআলো,"x\ny"\r\n')
  const wide = utf16('\ufeffনাম\tb\nআলো\ty\n')
  assert.equal((await renamed(wide, ['name', 'b'])).toString('utf16le'), '\ufeffname\tb\nআলো\ty\n')
})

test('a heading that cannot be read as it is stays', async () => {
  const unknown = new Blob([new Uint8Array([0x61, 0xe9, 0x2c, 0x62, 0x0a])])
  assert.equal((await readHead(unknown)).heading, null)
  const endless = new Blob([`a,b${'x'.repeat(70_000)}\n`])
  assert.equal((await readHead(endless)).heading, null)
})

test('columns are matched by name, then by a similar name, and others never take a needed name', () => {
  const match = matchColumns(['name', 'photo_url'], ['Name', 'name', 'Photo URL'])
  assert.deepEqual(match, { name: 1, photo_url: 2 })
  assert.deepEqual(renamedColumns(['Name', 'name', 'Photo URL'], { name: 0, photo_url: 2 }), [
    'name',
    'name 2',
    'photo_url',
  ])
  assert.deepEqual(matchColumns(['x'], ['y']), { x: undefined })
})
