import { useEffect, useRef, useState } from 'react'

const waitMs = 1_500
const maxDigits = 5

/** Calls `onNumber` with a typed number 1.5 seconds after its last digit. Returns the digits so far as `typed`, and `onDigit`, which adds a digit. */
export function useTypedNumber(onNumber: (number: number) => void) {
  const [typed, setTyped] = useState('')
  const digits = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onNumber)
  latest.current = onNumber
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (text: string) => {
    digits.current = text
    setTyped(text)
  }
  const onDigit = (digit: string) => {
    clearTimeout(timer.current)
    show(`${digits.current}${digit}`.slice(0, maxDigits))
    timer.current = setTimeout(() => {
      const number = Number(digits.current)
      show('')
      latest.current(number)
    }, waitMs)
  }
  return { typed, onDigit }
}
