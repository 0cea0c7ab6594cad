import { useEffect, useState } from 'react'
import { invoiceNumberOf, orderIdFrom } from '../../rules.ts'

/** Returns a random order number for the next invoice. It is generated after hydration, because server and browser would generate different numbers. */
export function useOrderNumber() {
  const [drawn, setDrawn] = useState<string>()
  const draw = () => setDrawn(orderIdFrom(crypto.getRandomValues(new Uint8Array(5))))
  useEffect(draw, [])
  return { drawn, shown: drawn ?? invoiceNumberOf('······'), drawAgain: draw }
}
