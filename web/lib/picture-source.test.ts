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

test('a picture that may be in the bucket of this site is requested in the same size', () => {
  const url = `https://cdn.example.com/${'a1'.repeat(20)}-1280.webp`
  const source = `/images/foreign?url=${encodeURIComponent(url)}`
  assert.equal(thumbnailSource(url, 112), `${source}&size=400`)
  assert.equal(thumbnailSource(url, 42), `${source}&size=96`)
  assert.equal(thumbnailSource(url, 800), source)
})

test('a picture of another site, and another file of this one, are loaded as they are', () => {
  const foreign = '/images/foreign?url=https%3A%2F%2Fi.example.com%2Fboats.jpg'
  assert.equal(thumbnailSource('https://i.example.com/boats.jpg', 42), foreign)
  assert.equal(thumbnailSource('/people/ruma.jpg', 42), '/people/ruma.jpg')
})
