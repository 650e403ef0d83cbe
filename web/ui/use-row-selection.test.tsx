import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { field, render, user } from '#web/testing/app.tsx'
import { useRowSelection } from '#web/ui/use-row-selection.ts'

const ROWS = ['First', 'Second', 'Third'].map((_id) => ({ _id }))

function Rows() {
  const { selected, has, select, selectAll } = useRowSelection(ROWS, 2)
  return (
    <>
      <button type="button" onClick={() => selectAll(true)}>
        {'All'}
      </button>
      {ROWS.map((row) => (
        <input
          key={row._id}
          type="checkbox"
          aria-label={row._id}
          checked={has(row)}
          onChange={(event) => select(row, event.currentTarget.checked)}
        />
      ))}
      <output>{selected.map(({ _id }) => _id).join()}</output>
    </>
  )
}

const isChecked = ({ _id }: { _id: string }) => (field(_id) as HTMLInputElement).checked
const selected = () => screen.getByRole('status').textContent

test('exactly the rows that are selected are checked, at most the largest number', async () => {
  render(<Rows />)
  await user.click(await screen.findByRole('button', { name: 'All' }))
  assert.equal(selected(), 'First,Second')
  assert.deepEqual(ROWS.map(isChecked), [true, true, false])

  await user.click(field('First'))
  assert.equal(selected(), 'Second')
  await user.click(field('Third'))
  await user.click(field('First'))
  assert.equal(selected(), 'Second,Third')
  assert.deepEqual(ROWS.map(isChecked), [false, true, true])
})
