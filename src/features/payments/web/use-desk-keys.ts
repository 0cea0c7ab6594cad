import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { announce } from '#web/ui/announce.ts'
import { useSearchKeySwitch } from '#web/ui/table/use-search-key.ts'
import type { PaymentRow } from '../admin-contract.ts'

const armedMs = 3000

interface Options {
  desk: RefObject<HTMLElement | null>
  row: PaymentRow | undefined
  move: (by: 1 | -1) => void
  confirm: () => void
  match: () => void
  undo: () => void
}

/**
 * Handles the keyboard shortcuts of the desk: J and K, the digits, Enter, S, M and U. They work while the focus is in the list or the payment, but not in
 * fields or dialogs, and not with a modifier key. Letters and digits can be turned off in the account menu. On a payment with differences, Enter has to be
 * pressed twice within three seconds.
 */
export function useDeskKeys({ desk, row, move, confirm, match, undo }: Options) {
  const [armedId, setArmedId] = useState<number>()
  const [hasLetterKeys] = useSearchKeySwitch()
  useEffect(() => {
    if (armedId === undefined) return undefined
    const timer = setTimeout(() => setArmedId(undefined), armedMs)
    return () => clearTimeout(timer)
  }, [armedId])

  const enter = () => {
    if (row?.status !== 'open') return
    if (row.ready || armedId === row.id) {
      setArmedId(undefined)
      return confirm()
    }
    setArmedId(row.id)
    announce('There are differences. Press Enter again to decide.')
  }
  const pick = (number: number) => {
    const decision = desk.current?.querySelectorAll<HTMLInputElement>('.payment-detail input[name$=-decision]')[
      number - 1
    ]
    if (!decision) return
    decision.closest('details')?.setAttribute('open', '')
    decision.click()
    announce(decision.labels?.[0]?.textContent ?? '')
  }
  const actions: Record<string, () => void> = {
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [String(number), () => pick(number)])),
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Enter: enter,
    s: () => move(1),
    m: match,
    u: undo,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (event.key.length === 1 && !hasLetterKeys) return
    const isModified = event.ctrlKey || event.metaKey || event.altKey
    if (!action || isModified || event.repeat || event.defaultPrevented) return
    if (!target.closest('.payment-list, .payment-panel') || target.closest('input, select, textarea, summary')) return
    // Outside of the list, Enter activates the focused element.
    if (event.key === 'Enter' && !target.closest('.payment-row')) return
    event.preventDefault()
    action()
  }
  // Attached before the rows are painted. With useEffect, a key pressed between the paint and the effect would be lost or act on the previous payment.
  useLayoutEffect(() => {
    const element = desk.current
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  })
  return { isArmed: armedId !== undefined && armedId === row?.id, disarm: () => setArmedId(undefined) }
}
