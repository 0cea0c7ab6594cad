import { useEffect, useState } from 'react'

let isIdle = false

/**
 * Returns false until the browser is idle after loading the first page. The queries of the frame are disabled until then: a response during hydration would
 * make views that show the same data differ from the server's HTML.
 */
export function useIsIdle(): boolean {
  const [known, setKnown] = useState(isIdle)
  useEffect(() => {
    if (known) return
    const whenIdle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 500))
    whenIdle(() => {
      isIdle = true
      setKnown(true)
    })
  }, [known])
  return known
}
