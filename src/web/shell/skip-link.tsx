import type { MouseEvent } from 'react'

// A script moves the focus, because the router would treat a hash change as a navigation.
const jump = (event: MouseEvent) => {
  const main = document.getElementById('main')
  if (!main) return
  event.preventDefault()
  main.tabIndex = -1
  main.focus()
  main.scrollIntoView()
}

/** The first element of the body. It jumps to `<main id="main">`. */
export function SkipLink() {
  return (
    <a href="#main" className="skip-link" onClick={jump}>
      Skip to content
    </a>
  )
}
