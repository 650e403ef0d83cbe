import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type AnswerForm, type Answers, answerTo } from '#contract/answer-form.ts'
import { areShortcutsOn, isDialogOpen, keyOf } from '#web/features/shortcuts/use-shortcuts.ts'

type Keys = { form: AnswerForm; answers: Answers; onChange: (answers: Answers) => void; onSubmit: () => void }

/**
 * Handles the keys of an answer form: 1 to 9 choose an option of the active question, Ctrl or ⌘ Enter submits. After a choice
 * the next question with options is active. Returns the active question's name, and a function that sets it.
 */
export function useOptionKeys(keys: Keys): [active: string | undefined, setActive: (name: string) => void] {
  const questions = keys.form.fields.filter((field) => 'options' in field)
  const [chosen, setChosen] = useState<string>()
  const active = questions.find(({ name }) => name === chosen) ?? questions[0]
  const latest = useRef({ ...keys, questions, active })
  useLayoutEffect(() => {
    latest.current = { ...keys, questions, active }
  })

  useEffect(() => {
    function choose(place: number): boolean {
      const { answers, onChange, questions, active } = latest.current
      const option = active?.options[place]
      if (active === undefined || option === undefined) return false
      if (active.type === 'choice') {
        onChange({ ...answers, [active.name]: option })
        const next = questions[questions.indexOf(active) + 1]
        if (next !== undefined) setChosen(next.name)
        return true
      }
      const list = [answerTo(answers, active.name) ?? []].flat().map(String)
      onChange({
        ...answers,
        [active.name]: list.includes(option) ? list.filter((one) => one !== option) : [...list, option],
      })
      return true
    }
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (event.defaultPrevented || event.isComposing || event.repeat || !(target instanceof Element)) return
      if (isDialogOpen()) return
      if (key === 'Enter' && (ctrlKey || metaKey)) {
        event.preventDefault()
        latest.current.onSubmit()
        return
      }
      const isTyping = target.closest('input:not([type=checkbox], [type=radio]), textarea, select') !== null
      if (ctrlKey || metaKey || altKey || isTyping || !areShortcutsOn()) return
      const digit = keyOf(event)
      if (/^[1-9]$/.test(digit) && choose(Number(digit) - 1)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return [active?.name, setChosen]
}
