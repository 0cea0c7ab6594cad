import { useCallback, useEffect, useRef, useState } from 'react'
import { announce } from '#web/ui/announce.ts'

const waitMs = 1_500
type Channel = { id: number; number: number | null }

/** Selects channels by number. Typed digits are shown; 1.5 seconds after the last digit, the channel with that number is chosen. */
export function useNumberEntry(channels: readonly Channel[], onChoose: (id: number) => void) {
  const [shown, setShown] = useState('')
  const typed = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ channels, onChoose })
  latest.current = { channels, onChoose }
  useEffect(() => () => clearTimeout(timer.current), [])
  const onDigit = useCallback((digit: string) => {
    typed.current = `${typed.current}${digit}`.slice(0, 5)
    setShown(typed.current)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const number = Number(typed.current)
      typed.current = ''
      const found = latest.current.channels.find((channel) => channel.number === number)
      if (found) {
        setShown('')
        latest.current.onChoose(found.id)
        return
      }
      const text = `No channel ${number}`
      setShown(text)
      announce(text)
      timer.current = setTimeout(() => setShown(''), waitMs)
    }, waitMs)
  }, [])
  return { shown, onDigit: channels.some(({ number }) => number !== null) ? onDigit : undefined }
}
