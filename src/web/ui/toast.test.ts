import { expect, test } from 'vitest'
import { onToast, type ToastMessage, toast } from './toast.ts'

test('a toast called before its outlet stands is shown once it does', () => {
  toast({ title: 'Too early' })
  const shown: (readonly ToastMessage[])[] = []
  const stop = onToast((messages) => shown.push(messages))
  expect(shown).toEqual([[{ title: 'Too early' }]])
  stop()

  const again: (readonly ToastMessage[])[] = []
  onToast((messages) => again.push(messages))()
  expect(again).toEqual([])
})

test('two toasts of one action arrive together and in order', () => {
  const shown: (readonly ToastMessage[])[] = []
  const stop = onToast((messages) => shown.push(messages))
  toast({ title: 'Account created!' }, { title: 'Referral bonus applied!' })
  toast({ title: 'Logged out' })
  stop()
  expect(shown.map((batch) => batch.map((message) => message.title))).toEqual([
    ['Account created!', 'Referral bonus applied!'],
    ['Logged out'],
  ])
})

test('an outlet that left does not take its successor with it', () => {
  const stopFirst = onToast(() => undefined)
  const shown: (readonly ToastMessage[])[] = []
  const stopSecond = onToast((messages) => shown.push(messages))
  stopFirst()
  toast({ title: 'Still here' })
  stopSecond()
  expect(shown).toHaveLength(1)
})
