import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { PictureAnswer } from '#web/features/projects/picture-answer.tsx'
import type { uploadPicture } from '#web/lib/upload-picture.ts'
import { button, expectFocus, expectGone, render, until, user } from '#web/testing/app.tsx'

const picture = (name: string) => new File([name], `${name}.png`, { type: 'image/png' })

function Photos({ upload }: { upload: typeof uploadPicture }) {
  const [urls, setUrls] = useState<string[]>()
  return (
    <PictureAnswer
      label="Photos"
      description={undefined}
      required
      error={undefined}
      max={2}
      urls={urls ?? []}
      onChange={setUrls}
      upload={upload}
    />
  )
}

function renderPhotos() {
  const uploaded: string[] = []
  const upload = (async (file: File) => {
    uploaded.push(file.name)
    return { data: { display_url: `/images/${file.name}` } }
  }) as unknown as typeof uploadPicture
  render(<Photos upload={upload} />)
  const choose = (...files: File[]) =>
    user.upload(document.querySelector('input[type=file]') as HTMLInputElement, files)
  return { uploaded, choose }
}

test('the focus stays at the pictures when one was removed, and when no other can be uploaded', async () => {
  const { choose } = renderPhotos()
  await choose(picture('a'))
  await screen.findByAltText('Photos 1')
  button('Upload pictures: Photos').focus()
  await choose(picture('b'))
  await screen.findByAltText('Photos 2')
  await until(() => expectGone(screen.queryByRole('button', { name: 'Upload pictures: Photos' })))
  expectFocus(screen.getByRole('group', { name: 'Photos' }))
  await user.click(button('Remove picture 2'))
  expectGone(screen.queryByAltText('Photos 2'))
  expectFocus(screen.getByRole('group', { name: 'Photos' }))
  assert.ok(button('Upload pictures: Photos'))
})

test('more pictures than the question takes are refused with the reason, and none is uploaded', async () => {
  const { uploaded, choose } = renderPhotos()
  await choose(picture('a'), picture('b'), picture('c'))
  await screen.findByText('You can add up to 2 pictures. Choose up to 2.')
  assert.deepEqual(uploaded, [])
  await choose(picture('a'))
  await screen.findByAltText('Photos 1')
  expectGone(screen.queryByText(/^You can add up to/))
  await choose(picture('b'), picture('c'))
  await screen.findByText('You can add up to 2 pictures. Choose up to 1.')
  assert.deepEqual(uploaded, ['a.png'])
})
