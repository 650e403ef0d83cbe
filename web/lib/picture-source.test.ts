import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thumbnailSource } from '#web/lib/picture-source.ts'

const picture = `/images/${'a1'.repeat(20)}`

test('a small square loads a small picture that is sharp on a phone', () => {
  const url = `http://localhost:3000${picture}-1280.webp`
  assert.equal(thumbnailSource(url, 42), `http://localhost:3000${picture}-96.webp`)
  assert.equal(thumbnailSource(url, 112), `http://localhost:3000${picture}-400.webp`)
  assert.equal(thumbnailSource(url, 600), url)
  assert.equal(thumbnailSource(`${picture}-1280.webp`, 44), `${picture}-96.webp`)
})

test('a picture of another site, and another file of this one, are loaded as they are', () => {
  const foreign = `https://i.example.com${picture}-1280.webp`
  assert.match(thumbnailSource(foreign, 42), /url=https.*-1280\.webp$/)
  assert.equal(thumbnailSource('/people/ruma.jpg', 42), '/people/ruma.jpg')
})
