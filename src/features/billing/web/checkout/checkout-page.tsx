import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { CheckoutFlow } from './checkout-flow.tsx'

/** /checkout. A different order number in the URL (Start a New Order, Back) starts a new checkout, unless this checkout wrote it there itself. */
export function CheckoutPage() {
  const search = useSearch({ from: '/checkout' })
  const [known, setKnown] = useState({ shown: search.invoiceNumber, own: search.invoiceNumber, run: 0 })
  if (search.invoiceNumber !== known.shown) {
    const isOwn = search.invoiceNumber === known.own
    setKnown({ shown: search.invoiceNumber, own: search.invoiceNumber, run: isOwn ? known.run : known.run + 1 })
  }
  return (
    <CheckoutFlow key={known.run} address={search} onNumber={(own) => setKnown((before) => ({ ...before, own }))} />
  )
}
