import type { KeyboardEvent } from 'react'

const directions: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Moves the focus to the nearest button in the direction of an arrow key. At an edge, the focus stays. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const direction = directions[event.key]
  const from = document.activeElement
  if (!direction || !from) return
  event.preventDefault()
  const [dx, dy] = direction
  const start = from.getBoundingClientRect()
  let nearest: { button: HTMLElement; distance: number } | undefined
  for (const button of event.currentTarget.querySelectorAll<HTMLElement>('button')) {
    const box = button.getBoundingClientRect()
    const x = box.left + box.width / 2 - (start.left + start.width / 2)
    const y = box.top + box.height / 2 - (start.top + start.height / 2)
    const along = x * dx + y * dy
    if (along <= 4) continue
    // The sideways distance counts double, so that a straight move is preferred.
    const distance = along + 2 * Math.abs(dx === 0 ? x : y)
    if (!nearest || distance < nearest.distance) nearest = { button, distance }
  }
  nearest?.button.focus()
  nearest?.button.scrollIntoView({ block: 'nearest' })
}
