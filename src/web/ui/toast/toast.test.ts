import { expect, test } from 'vitest'
import { onToast, type ToastMessage, toast } from './toast.ts'

test('a toast called before the outlet is mounted is shown after mounting', () => {
  toast({ title: 'Too early' })
  const shown: (readonly ToastMessage[])[] = []
  const stop = onToast((messages) => shown.push(messages))
  expect(shown).toEqual([[{ title: 'Too early' }]])
  stop()

  const again: (readonly ToastMessage[])[] = []
  onToast((messages) => again.push(messages))()
  expect(again).toEqual([])
})

test('two toasts of one action are delivered together and in order', () => {
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

test('unmounting an outlet does not unregister its successor', () => {
  const stopFirst = onToast(() => undefined)
  const shown: (readonly ToastMessage[])[] = []
  const stopSecond = onToast((messages) => shown.push(messages))
  stopFirst()
  toast({ title: 'Still here' })
  stopSecond()
  expect(shown).toHaveLength(1)
})
