import { useEffect, useState } from 'react'

let isIdle = false

/**
 * False until the browser is idle after the first page. Queries of the frame wait for this: an earlier response could arrive while the page is
 * hydrated, and would differ from the HTML of the server where the page shows the same data.
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
