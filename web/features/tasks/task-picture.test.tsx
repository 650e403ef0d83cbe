import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fireEvent } from '@testing-library/react'
import { TASK_CATEGORIES } from '#contract/task-category-ids.ts'
import { render, until } from '#web/testing/app.tsx'
import { TaskPicture } from './task-picture.tsx'

const illustration = () => document.querySelector('use')?.getAttribute('href')?.split('#')[1]

test('every category has an illustration of its own', () => {
  const sprite = readFileSync(new URL('./category-illustrations.svg', import.meta.url), 'utf8')
  const ids = Array.from(sprite.matchAll(/<symbol id="(\w+)"/g), ([, id]) => id)
  assert.deepEqual(new Set(ids), new Set<string | undefined>(TASK_CATEGORIES))
})

test('a task without an image shows the illustration of its category', () => {
  render(<TaskPicture image="" category="survey" />)
  assert.equal(illustration(), 'survey')
})

test('an image that does not load is replaced by the illustration', async () => {
  render(<TaskPicture image="https://i.example.com/gone.png" category="design" />)
  assert.equal(illustration(), undefined)
  const image = document.querySelector('img')
  assert.ok(image)
  fireEvent.error(image)
  await until(() => assert.equal(illustration(), 'design'))
})
