import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> & {
  value: number | ''
  onChange: (value: number | '') => void
}

/** Renders an input of a decimal number. What is typed stays as it is, such as "1." and "2.50", while its value is that number. */
export function DecimalInput({ value, onChange, ...props }: Props) {
  const [typed, setTyped] = useState<number | string>('')
  return (
    <NumberInput
      {...props}
      value={numberOf(typed) === value ? typed : value}
      onChange={(entered) => {
        setTyped(entered)
        onChange(numberOf(entered))
      }}
    />
  )
}

/** Returns the number that an input holds, which Mantine passes as a string while it may be unfinished; '' for none. */
export function numberOf(entered: number | string): number | '' {
  return entered === '' || Number.isNaN(Number(entered)) ? '' : Number(entered)
}
