import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { uploadImage } from '#contract/images.ts'
import { changeProfile, myData } from '#contract/users.ts'
import { button, expectGone, field, openApp, server, until, user } from '#web/testing/app.tsx'
import { aStoredImage, aUser } from '#web/testing/records.ts'

test('a user changes name and picture on the profile', async () => {
  const worker = aUser('Worker', { image: 'https://pictures.example.com/old.webp' })
  server.serve(uploadImage, aStoredImage('https://pictures.example.com/new.webp'))
  server.serve(changeProfile, ({ body }) => {
    server.change(body)
    return { ...worker, ...body }
  })
  await openApp('/dashboard', { as: worker })
  await user.click(button('Edit profile'))
  const name = await screen.findByRole('textbox', { name: /^name/i })
  assert.equal(document.activeElement, name)
  await user.clear(name)
  await user.click(button('Save profile'))
  await screen.findByText('Name is required')
  await user.type(name, 'Ruma Akter')
  const file = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.ok(file)
  await user.upload(file, new File(['pixels'], 'face.png', { type: 'image/png' }))
  await user.selectOptions(field('Language of notifications and emails'), 'বাংলা')
  await user.click(button('Save profile'))
  await screen.findByRole('heading', { name: 'Ruma Akter' })
  assert.deepEqual(
    server.received(changeProfile).map(({ body }) => body),
    [{ name: 'Ruma Akter', locale: 'bn', image: 'https://pictures.example.com/new.webp' }],
  )
  expectGone(screen.queryByRole('form', { name: 'Edit profile' }))
  assert.equal(document.activeElement, button('Edit profile'))
})

test('a new picture that gets no response is said to be lost, and not to be invalid', async () => {
  server.serve(uploadImage, () => {
    throw new TypeError('fetch failed')
  })
  await openApp('/dashboard', { as: aUser('Worker') })
  await user.click(button('Edit profile'))
  await screen.findByRole('textbox', { name: /^name/i })
  const file = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.ok(file)
  await user.upload(file, new File(['pixels'], 'face.png', { type: 'image/png' }))
  await user.click(button('Save profile'))
  await until(() => {
    // Ends the wait between the attempts.
    dispatchEvent(new Event('online'))
    screen.getByRole('dialog', { name: 'Your picture was not uploaded' })
  })
  assert.equal(server.received(uploadImage).length, 4)
})

test('only what was changed is sent, so that a picture from another device stays', async () => {
  const worker = aUser('Worker', { image: 'https://pictures.example.com/old.webp' })
  server.serve(changeProfile, ({ body }) => {
    server.change(body)
    return { ...worker, ...body }
  })
  await openApp('/dashboard', { as: worker })
  await user.click(button('Edit profile'))
  const name = await screen.findByRole('textbox', { name: /^name/i })
  server.change({ image: 'https://pictures.example.com/new.webp' })
  await user.clear(name)
  await user.type(name, 'Ruma Akter')
  await user.click(button('Save profile'))
  await screen.findByRole('heading', { name: 'Ruma Akter' })
  assert.deepEqual(
    server.received(changeProfile).map(({ body }) => body),
    [{ name: 'Ruma Akter' }],
  )
})

test('the profile links to the public one and downloads the user’s data', async () => {
  const worker = aUser('Worker')
  server.serve(myData, {})
  await openApp('/dashboard', { as: worker })
  const link = await screen.findByRole('link', { name: 'View public profile' })
  assert.equal(link.getAttribute('href'), `/users/${worker._id}`)
  await user.click(await screen.findByRole('button', { name: 'Download my data' }))
  await until(() => assert.equal(server.received(myData).length, 1))
})
