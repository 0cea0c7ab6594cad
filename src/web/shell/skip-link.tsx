import type { MouseEvent } from 'react'

// Focus moves by hand: through the address the router would take the jump for a navigation.
const jump = (event: MouseEvent) => {
  const main = document.getElementById('main')
  if (!main) return
  event.preventDefault()
  main.tabIndex = -1
  main.focus()
  main.scrollIntoView()
}

/** First in the body, for a `<main id="main">`. */
export function SkipLink() {
  return (
    <a href="#main" className="skip-link" onClick={jump}>
      Skip to content
    </a>
  )
}
